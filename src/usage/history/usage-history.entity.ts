import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import { usageColumns } from '../usage-columns.js';

/** One API key's use of one model, or the sum of all keys of the organization. Its id saves space in packed rows. */
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

/**
 * Usage in a UTC period that is divided into slots, such as the hours of a day. Arrays take a fifth of the space of a row per
 * slot. Slots without usage are left out, and an array of zeros is null.
 */
abstract class PackedUsage {
  /** The start of the period. */
  @PrimaryColumn({ type: 'timestamptz' })
  start: Date;

  @PrimaryColumn('integer')
  seriesId: number;

  @ManyToOne('UsageSeries', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'series_id' })
  series: Relation<UsageSeries>;

  /** Positions in the period, from 0, ascending. The other arrays except `latencies` have an element for each. */
  @Column('smallint', { array: true })
  slots: number[];

  @Column('bigint', { array: true })
  requests: string[];

  @Column('bigint', { array: true, nullable: true })
  failures: string[] | null;

  @Column('bigint', { array: true, nullable: true })
  limited: string[] | null;

  /** Numbers of requests by slot and latency bucket; see `joinParts`. */
  @Column('bigint', { array: true })
  latencies: string[];
}

// An array per column of `usage`.
for (const { name } of usageColumns) Column('bigint', { array: true, nullable: true })(PackedUsage.prototype, name);

/** Hours of a UTC day. Deleted after 35 days. */
@Entity('usage_by_hour')
export class UsageByHour extends PackedUsage {}

/** Days of a UTC month. */
@Entity('usage_by_day')
export class UsageByDay extends PackedUsage {}

/** Months of a UTC year. */
@Entity('usage_by_month')
export class UsageByMonth extends PackedUsage {}
