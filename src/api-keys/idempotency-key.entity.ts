import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** A request with an `Idempotency-Key` that created or rotated an API key. Repeats are rejected until it expires. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  /** SHA-256 of organization, principal, route and header. */
  @PrimaryColumn('bytea')
  hash: Buffer;

  @Index('idempotency_keys_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** SHA-256 of the validated body. */
  @Column('bytea')
  bodyHash: Buffer;

  /** No foreign key, because the API key may be deleted before this row expires. */
  @Column('uuid')
  apiKeyId: string;

  @Index('idempotency_keys_by_expiry')
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt: Date;
}
