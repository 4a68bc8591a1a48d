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

/** The account that created a key. */
interface Creator {
  id: string;
  name: string;
  email: string;
}

/** A key of an organization. Its plaintext is stored nowhere. */
@Entity('api_keys')
@Index('api_keys_by_creation', ['organizationId', 'createdAt', 'id'])
@Index('api_keys_by_name', ['organizationId', 'foldedName', 'id'])
@Index('api_keys_by_previous_hash', ['previousKeyHash'], { unique: true, where: 'previous_key_hash is not null' })
export class ApiKey {
  /** UUID v7. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** As the admin typed it, trimmed. */
  @Column('text')
  name: string;

  /** The name as it is searched and sorted by; see `foldText`. */
  @Column({ type: 'text', collation: 'C' })
  foldedName: string;

  /** The first characters of the key, for recognising it. */
  @Column('text')
  hint: string;

  /** SHA-256 of the key, 32 bytes. */
  @Column({ type: 'bytea', unique: true, select: false })
  keyHash: Buffer;

  /** SHA-256 of the secret before the last rotation, which is accepted until `previousKeyExpiresAt`. */
  @Column({ type: 'bytea', nullable: true, select: false })
  previousKeyHash: Buffer | null;

  /** Never later than `expiresAt`. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  previousKeyExpiresAt: Date | null;

  /** The first instant at which the key is refused, by the database's clock; null for a key that lasts. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Who created the key. It belongs to the organization all the same, and outlives the account. */
  @Index('api_keys_by_creator')
  @Column('uuid', { nullable: true })
  createdById: string | null;

  @ManyToOne('User', { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'created_by_id' })
  createdBy: Relation<Creator> | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;

  /** When a request with the key was last accounted for, to the second; null for a key that was never used. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
