import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** Consecutive requests of an API key. See `write-requests.sql` for how many are kept. */
@Entity('request_chunks')
export class RequestChunk {
  /** Not a foreign key: deleting a key deletes these rows itself. */
  @PrimaryColumn('uuid')
  apiKeyId: string;

  /** Whether its requests failed or were rejected, which are kept apart from successful ones. */
  @PrimaryColumn('boolean')
  isFailure: boolean;

  /** Increases with each chunk of the key. */
  @PrimaryColumn('integer')
  number: number;

  @Index('request_chunks_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** Number of requests. */
  @Column('integer')
  count: number;

  /** When the latest of them arrived. */
  @Index('request_chunks_by_time')
  @Column('timestamptz')
  lastAt: Date;

  /** Those of its request IDs: see `fingerprintOf`. Shorter if an earlier release wrote some of its requests. */
  @Column('bytea', { default: () => `'\\x'` })
  fingerprints: Buffer;

  /** A line per request: see `toLine`. */
  @Column('text')
  requests: string;
}
