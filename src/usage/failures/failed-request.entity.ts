import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { ExceededLimit } from '../../limits/limit.js';

/** One of the latest failed requests of an API key. Kept for 30 days, and at most 100 for each key. */
@Entity('failed_requests')
@Index('failed_requests_by_key', ['apiKeyId', 'occurredAt'])
export class FailedRequest {
  @PrimaryColumn('uuid')
  id: string;

  @Index('failed_requests_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** Not a foreign key: deleting a key deletes these rows itself. */
  @Column('uuid')
  apiKeyId: string;

  @Index('failed_requests_by_time')
  @Column('timestamptz')
  occurredAt: Date;

  /** Such as `POST /v1/embeddings`. */
  @Column('text')
  route: string;

  /** Id of the model in the catalog; empty if the request failed before it was known. */
  @Column('text')
  model: string;

  /** Model that the client named; null if the request failed before it was read. */
  @Column('text', { nullable: true })
  requestedModel: string | null;

  /** HTTP status code. */
  @Column('smallint')
  status: number;

  /** See `describeFailure`. */
  @Column('text')
  code: string;

  /** Names of the fields that the error is about. */
  @Column('jsonb', { default: [] })
  invalidFields: string[];

  /** The limit that rejected the request; null for other failures. */
  @Column('jsonb', { nullable: true })
  exceededLimit: ExceededLimit | null;

  @Column('text')
  requestId: string;

  /** Canonical IP address of the client; null if it had none. */
  @Column('text', { nullable: true })
  address: string | null;
}
