import { Column, CreateDateColumn, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from '../../organizations/organization.entity.js';
import { User } from '../../organizations/user.entity.js';

/** A signed-in browser or client. Ending the session deletes the row; the audit log keeps the event. */
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

  /** The organization of new access tokens. */
  @Index('sessions_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<Organization>;

  /** SHA-256 of the part that all refresh tokens of the session share. */
  @Column({ type: 'bytea', unique: true, select: false })
  familyHash: Buffer;

  /** SHA-256 of the secret part of the latest refresh token. */
  @Column({ type: 'bytea', select: false })
  secretHash: Buffer;

  /** SHA-256 of the secret part of the previous refresh token. */
  @Column({ type: 'bytea', nullable: true, select: false })
  previousSecretHash: Buffer | null;

  /** Derives the latest token from the previous one; see `successorOf`. */
  @Column({ type: 'bytea', nullable: true, select: false })
  rotationNonce: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  rotatedAt: Date | null;

  /** IP address of the sign-in or last refresh. */
  @Column('text')
  address: string;

  @Column('text', { nullable: true })
  userAgent: string | null;

  /** `iss` of the identity provider; null for a sign-in with a password. */
  @Column('text', { nullable: true })
  issuer: string | null;

  /** `sid`: the user's session at the provider, if known. */
  @Column('text', { nullable: true })
  providerSessionId: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** When the session was opened or last refreshed. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  lastUsedAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
