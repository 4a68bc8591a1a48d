import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation, Unique } from 'typeorm';
import type { UsageCohort } from '../cohorts/usage-cohort.entity.js';
import { usageColumns } from '../usage-columns.js';

/** The use of one model by one API key, a cohort, or all keys of the organization. Its id saves space in packed rows. */
@Entity('usage_series')
@Unique('usage_series_by_key', ['organizationId', 'apiKeyId', 'model'])
@Index('usage_series_by_cohort', ['cohortId', 'model'], { unique: true, where: 'cohort_id is not null' })
@Index('usage_series_without_creator_cohort', ['organizationId'], { where: 'creator_cohort_id is null' })
@Index('usage_series_without_tags_cohort', ['organizationId'], { where: 'tags_cohort_id is null' })
@Index('usage_series_by_creator_cohort', ['creatorCohortId'], { where: 'creator_cohort_id is not null' })
@Index('usage_series_by_tags_cohort', ['tagsCohortId'], { where: 'tags_cohort_id is not null' })
export class UsageSeries {
  /** Assigned under the lock of the replica that moves usage, so it needs no sequence. */
  @PrimaryColumn('integer')
  id: number;

  /** Null for cohorts, which earlier releases take for API keys otherwise. */
  @Column('uuid', { nullable: true })
  organizationId: string | null;

  @ManyToOne('Organization', { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id' })
  organization: Relation<object> | null;

  /** The nil UUID for sums. */
  @Column('uuid')
  apiKeyId: string;

  /** As in `usage`. */
  @Column({ type: 'text', collation: 'C' })
  model: string;

  /** The cohort whose sum this is. */
  @Column('integer', { nullable: true })
  cohortId: number | null;

  @ManyToOne('UsageCohort', { onDelete: 'CASCADE', nullable: true })
  @JoinColumn({ name: 'cohort_id', foreignKeyConstraintName: 'usage_series_of_cohort' })
  cohort: Relation<UsageCohort> | null;

  /** The cohort by creator whose sums include this key; null if none does. */
  @Column('integer', { nullable: true })
  creatorCohortId: number | null;

  @ManyToOne('UsageCohort', { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'creator_cohort_id', foreignKeyConstraintName: 'usage_series_in_creator_cohort' })
  creatorCohort: Relation<UsageCohort> | null;

  /** The cohort by tags whose sums include this key. */
  @Column('integer', { nullable: true })
  tagsCohortId: number | null;

  @ManyToOne('UsageCohort', { onDelete: 'SET NULL', nullable: true })
  @JoinColumn({ name: 'tags_cohort_id', foreignKeyConstraintName: 'usage_series_in_tags_cohort' })
  tagsCohort: Relation<UsageCohort> | null;
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
