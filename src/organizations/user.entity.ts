import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/**
 * How an email was verified: by the identity provider (`email_verified`), or because the operator set it for the first
 * administrator.
 */
type EmailVerification = 'provider' | 'first-administrator';

/** A person who can sign in. */
@Entity('users')
@Check(
  'users_email_verification',
  `(email_verified_at is null) = (email_verified_by is null)
    and email_verified_by in ('provider', 'first-administrator')`,
)
export class User {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  /** Lower case, because emails are compared case-insensitively. */
  @Column('text', { unique: true })
  email: string;

  @Column('text')
  name: string;

  /**
   * Null until the email is verified. Accepting an invitation doesn't verify it: the sender sees the link too and can
   * accept it with a password of their own.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  emailVerifiedAt: Date | null;

  @Column('text', { nullable: true })
  emailVerifiedBy: EmailVerification | null;

  /** Argon2id, PHC string format; null for accounts without a password, which sign in through the identity provider. */
  @Column('text', { nullable: true })
  passwordHash: string | null;

  /** When single sign-on removed a password that was set before the email was verified; null if it never did. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  passwordRemovedAt: Date | null;

  /** Kinds of mail that the user has turned off. */
  @Column('text', { array: true, default: '{}' })
  mutedMail: string[];

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
