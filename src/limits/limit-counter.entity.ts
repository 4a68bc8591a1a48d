import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { Metric, Period } from '../common/rules/limit-rules.js';

/** What is used of a limit. Only requests write counters in use; see the functions `reserve_usage` and `settle_requests`. */
@Entity('limit_counters')
export class LimitCounter {
  /** Id of the API key or organization. Not a foreign key, because deleting a key must not wait for requests. */
  @PrimaryColumn('uuid')
  ownerId: string;

  @PrimaryColumn('text')
  metric: Metric;

  @PrimaryColumn('text')
  per: Period;

  @Index('limit_counters_by_organization')
  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** What was used at `levelAt`, without reservations. The function `limit_level` computes it for other times. */
  @Column('double precision', { default: 0 })
  level: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  levelAt: Date;

  /** Reserved in `generation` by requests that haven't ended. */
  @Column('bigint', { default: 0 })
  reserved: string;

  /** Reserved in the generation before. */
  @Column('bigint', { default: 0 })
  reservedBefore: string;

  /** See the function `limit_generation`. */
  @Column('bigint', { default: 0 })
  generation: string;

  /** The part of `level` that was charged without a report of usage. */
  @Column('double precision', { default: 0 })
  estimated: number;

  /** When requests wait: since when the longest-waiting ones do, and when each asked last, in microseconds since 1970. */
  @Column('jsonb', { default: {} })
  waiters: Record<string, number>;
}
