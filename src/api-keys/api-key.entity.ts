import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  UpdateDateColumn,
} from 'typeorm';
import type { LeakedSecret } from '../common/rules/leak-rules.js';
import type { Limit } from '../limits/limit.js';

/** The user who created a key. */
interface Creator {
  id: string;
  name: string;
  email: string;
}

/** An API key: a name, limits and restrictions, and a secret, which rotations replace. Only its hash is stored. */
@Entity('api_keys')
@Index('api_keys_by_creation', ['organizationId', 'createdAt', 'id'])
@Index('api_keys_by_creator_and_creation', ['organizationId', 'createdById', 'createdAt', 'id'])
@Index('api_keys_by_name', ['organizationId', 'foldedName', 'id'])
@Index('api_keys_by_expiry', ['organizationId', 'expiresAt', 'id'])
@Index('api_keys_by_tag', ['tags'], { type: 'gin' })
@Index('api_keys_leaked', ['organizationId', 'leakedAt', 'id'], { where: 'leaked_secret is not null' })
@Index('api_keys_to_delete', ['expiresAt', 'id'], { where: 'delete_when_expired' })
@Index('api_keys_by_previous_hash', ['previousSecretHash'], { unique: true, where: 'previous_secret_hash is not null' })
export class ApiKey {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** Trimmed. */
  @Column('text')
  name: string;

  /** The name folded by `foldText`, for searching and sorting. */
  @Column({ type: 'text', collation: 'C' })
  foldedName: string;

  /** The first characters of the secret. */
  @Column('text')
  hint: string;

  /** SHA-256 of the secret, 32 bytes. */
  @Column({ type: 'bytea', unique: true, select: false })
  secretHash: Buffer;

  /** SHA-256 of the secret from before the last rotation, accepted until `previousSecretExpiresAt`. */
  @Column({ type: 'bytea', nullable: true, select: false })
  previousSecretHash: Buffer | null;

  /** Never later than `expiresAt`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretExpiresAt: Date | null;

  /** The first characters of the previous secret. */
  @Column('text', { nullable: true })
  previousSecretHint: string | null;

  /**
   * When the previous secret was last used, accurate to two seconds. A rotation copies `lastUsedAt`, so uses before it count.
   * Null without a previous secret, or if it was never used.
   */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousSecretLastUsedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  rotatedAt: Date | null;

  /** The key is rejected from this time on, by the database's clock. Null means never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Whether `ExpiredKeysService` deletes the key once it has expired. */
  @Column('boolean', { default: false })
  deleteWhenExpired: boolean;

  /** Disabled keys are rejected with 403. */
  @Column('boolean', { default: true })
  enabled: boolean;

  /** For the people who manage keys. */
  @Column('text', { nullable: true })
  note: string | null;

  /** Normalized by `normalizeTag` and sorted, each once. */
  @Column('text', { array: true, default: [] })
  tags: string[];

  /** Ids or aliases of the models that the key may use. Null means all, including future ones. */
  @Column('text', { array: true, nullable: true })
  models: string[] | null;

  /** Client addresses and ranges that may use the key, in the form of `normalizeAddressRange`. Null means all. */
  @Column('text', { array: true, nullable: true })
  addresses: string[] | null;

  /** Null without limits. Their state is in `LimitCounter`. */
  @Column('jsonb', { nullable: true })
  limits: Limit[] | null;

  /** Whether the organization has limits, so that keys without limits need no second lookup. */
  @Column('boolean', { default: false })
  organizationLimited: boolean;

  /** The key belongs to the organization and outlives its creator's account. */
  @Index('api_keys_by_creator')
  @Column('uuid', { nullable: true })
  createdById: string | null;

  @ManyToOne('User', { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'created_by_id' })
  createdBy: Relation<Creator> | null;

  /** If a service account created the key. */
  @Index('api_keys_by_creating_service_account', { where: 'created_by_service_account_id is not null' })
  @Column('uuid', { nullable: true })
  createdByServiceAccountId: string | null;

  @ManyToOne('ServiceAccount', { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'created_by_service_account_id' })
  createdByServiceAccount: Relation<Omit<Creator, 'email'>> | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** When any secret of the key was last used, accurate to two seconds. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  /** IP address of a client that used the key at `lastUsedAt`. */
  @Column('text', { nullable: true })
  lastUsedAddress: string | null;

  /** When a secret of the key was first reported as leaked; null if none was, or if it was replaced since. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  leakedAt: Date | null;

  /** Where it was found, an http or https URL without secrets. Null if the report has none. */
  @Column('text', { nullable: true })
  leakedUrl: string | null;

  /** Kind of place, such as `commit`. */
  @Column('text', { nullable: true })
  leakedSource: string | null;

  @Column('text', { nullable: true })
  leakedSecret: LeakedSecret | null;
}

/** Name, hint, tags and creator of a deleted API key, for usage reports. */
@Entity('deleted_api_keys')
export class DeletedApiKey {
  /** Id of the key. */
  @PrimaryColumn('uuid')
  id: string;

  @Index('deleted_api_keys_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  @Column('text')
  name: string;

  @Column('text')
  hint: string;

  /** When the key was deleted. */
  @Column('text', { array: true, default: [] })
  tags: string[];

  /** No foreign key, because reports outlive the account. */
  @Column('uuid', { nullable: true })
  createdById: string | null;

  /** If a service account created the key. */
  @Column('uuid', { nullable: true })
  createdByServiceAccountId: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  deletedAt: Date;
}
