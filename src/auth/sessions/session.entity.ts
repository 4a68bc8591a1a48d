import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { User } from '../../organizations/user.entity.js';

/** A user who is signed in at one place. Ending it deletes the row; the audit log remembers. */
@Entity('sessions')
@Index('sessions_by_provider_session', ['issuer', 'providerSessionId'], { where: 'provider_session_id IS NOT NULL' })
export class Session {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Index('sessions_by_user')
  @Column('uuid')
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id' })
  user: Relation<User>;

  /** The current organization: new access tokens are for it. */
  @Index('sessions_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  /** SHA-256 of what all refresh tokens of the session have in common. */
  @Column({ type: 'bytea', unique: true, select: false })
  familyHash: Buffer;

  /** SHA-256 of what only the latest refresh token has. */
  @Column({ type: 'bytea', select: false })
  secretHash: Buffer;

  /** The same of the token before. */
  @Column({ type: 'bytea', nullable: true, select: false })
  previousSecretHash: Buffer | null;

  /** What turned the token before into the latest one; see `successorOf`. */
  @Column({ type: 'bytea', nullable: true, select: false })
  rotationNonce: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  rotatedAt: Date | null;

  /** Where it was last refreshed from. */
  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  userAgent: string | null;

  /** `iss` of the identity provider that the user signed in through; null for a sign-in with a password. */
  @Column('text', { nullable: true })
  issuer: string | null;

  /** `sid`: the user's session at the provider, if it names one. */
  @Column('text', { nullable: true })
  providerSessionId: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** When it was opened or last refreshed. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastUsedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
