import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';

/** One API key's use of one model, or the sum of all keys of the organization. Its id saves space in `usage_history`. */
@Entity('usage_series')
@Unique('usage_series_by_key', ['organizationId', 'apiKeyId', 'model'])
export class UsageSeries {
  /** Assigned under the lock of the replica that moves usage, so it needs no sequence. */
  @PrimaryColumn('integer')
  id: number;

  @Column('uuid')
  organizationId: string;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object>;

  /** The nil UUID for the sum of all keys. */
  @Column('uuid')
  apiKeyId: string;

  /** As in `usage`. */
  @Column({ type: 'text', collation: 'C' })
  model: string;
}

/** Columns are ordered without gaps between them, and zeros are null: a row takes half as much space. */
abstract class PackedUsage {
  @PrimaryColumn({ type: 'timestamptz' })
  start: Date;

  @Column('bigint')
  requests: string;

  @Column('bigint')
  inputTokens: string;

  @Column('bigint', { nullable: true })
  failures: string | null;

  @Column('bigint', { nullable: true })
  limited: string | null;

  @Column('bigint', { nullable: true })
  pages: string | null;

  @PrimaryColumn('integer')
  seriesId: number;

  @ManyToOne('UsageSeries', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'series_id' })
  series: Relation<UsageSeries>;

  /** Pairs of a latency bucket and its number of requests. */
  @Column('integer', { array: true })
  latencies: number[][];
}

/** Usage in a past hour, and after 35 days, in a UTC day; see `dayStart`. */
@Entity('usage_history')
export class UsageHistory extends PackedUsage {}

/** Sums of `usage_history` by UTC month. */
@Entity('usage_months')
export class UsageMonth extends PackedUsage {}
