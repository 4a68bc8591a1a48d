import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';

/** What is used of a limit. Only requests write counters in use; see the functions `reserve_amounts` and `settle_amounts`. */
@Entity('limit_counters')
export class LimitCounter {
  /** Id of the API key or organization. Not a foreign key, because deleting a key must not wait for requests. */
  @PrimaryColumn('uuid')
  ownerId: string;

  /** Followed by the models of the limit as `jsonb` text, if it has any, such as `tokens["small"]`. */
  @PrimaryColumn('text')
  metric: string;

  /** Empty for running requests. */
  @PrimaryColumn('text')
  per: string;

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

  /** Like `level`, for costs, which may exceed 2^53 billionths. */
  @Column('bigint', { default: 0 })
  charged: string;

  /** What running requests hold of budgets, or their number, in `heldGeneration`. */
  @Column('bigint', { default: 0 })
  held: string;

  /** Held in the generation before. */
  @Column('bigint', { default: 0 })
  heldBefore: string;

  /** In periods of 15 seconds since 1970. */
  @Column('bigint', { default: 0 })
  heldGeneration: string;

  /** The highest percentage that was told in the period of `noticedAt`. */
  @Column('smallint', { default: 0 })
  noticed: number;

  @Column('timestamptz', { nullable: true })
  noticedAt: Date | null;

  /** Only used by replicas of the previous release, as are the next two. Reserved in `generation` by requests that haven't ended. */
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
