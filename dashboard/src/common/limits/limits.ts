import { isBudget, maxLimit, type Metric, metrics, type Period, periodsOf } from '@rules/limit-rules.js';
import type { Limit, LimitState } from '../../api/schema.js';
import { formatCount, pluralize } from '../../lib/format-numbers.js';
import { relativeTime } from '../../lib/format-time.js';

/** A limit as entered in a form. */
export interface LimitRow {
  metric: Metric;
  per: Period;
  /** A string while the field is empty or incomplete. */
  max: number | string;
}

/** The part of a form that has limits. */
export interface LimitValues {
  limits: LimitRow[];
}

/** Validates the rows of a form. */
export const limitRules = {
  max: (max: LimitRow['max']) =>
    typeof max === 'number' && Number.isInteger(max) && max >= 1 && max <= maxLimit
      ? undefined
      : `Enter a whole number from 1 to ${formatCount(maxLimit)}.`,
  per: (_per: Period, { limits }: LimitValues, path: string) => {
    const index = Number(path.split('.')[1]);
    const row = limits[index];
    const isRepeated = row !== undefined && limits.slice(0, index).some((other) => isSame(other, row));
    return isRepeated ? `There is already a limit on ${row.metric} per ${row.per}.` : undefined;
  },
};

/** Returns a row for a limit that the others don't have yet, or undefined if they have all of them. */
export function newRow(rows: readonly LimitRow[]): LimitRow | undefined {
  const common: Period[] = ['minute', 'day', 'month', 'hour', 'second'];
  const candidates = metrics.flatMap((metric) =>
    common.filter((per) => periodsOf(metric).includes(per)).map((per) => ({ metric, per })),
  );
  const free = candidates.find((candidate) => !rows.some((row) => isSame(row, candidate)));
  return free && { ...free, max: '' };
}

/** Changes what a row counts, and its period if that isn't possible for the metric. */
export function withMetric(row: LimitRow, metric: Metric): LimitRow {
  return { ...row, metric, per: periodsOf(metric).includes(row.per) ? row.per : 'minute' };
}

/** Warns of a limit that is already used up. `states` are the states of the current limits. */
export function warnOfUse(row: LimitRow, states: readonly LimitState[]): string | undefined {
  const used = states.find((state) => isSame(state, row))?.used ?? 0;
  if (typeof row.max !== 'number' || used === 0 || used < row.max) return undefined;
  return `${formatCount(used)} already used, so requests are rejected until ${isBudget(row) ? 'it resets' : 'it refills'}.`;
}

/**
 * Reads a whole number with separated groups of digits, such as "1.000" or "1 000 000", which are written differently in
 * each country. Returns undefined for other texts, such as "1000" or "1.5".
 */
export function readGroupedNumber(text: string): number | undefined {
  const isGrouped = /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(\1\d{3}){0,4}$/.test(text.trim());
  return isGrouped ? Number(text.replace(/\D/g, '')) : undefined;
}

/** Returns limits or their states as rows of a form. */
export function toRows(limits: readonly Limit[]): LimitRow[] {
  return limits.map(({ metric, per, max }) => ({ metric, per, max }));
}

/** Returns the limits of valid rows if they differ from the initial ones. */
export function changedLimits(rows: readonly LimitRow[], initial: readonly LimitRow[]): Limit[] | undefined {
  const limits = rows.map((row) => ({ ...row, max: Number(row.max) }));
  const isUnchanged =
    rows.length === initial.length &&
    limits.every((limit) => initial.some((other) => isSame(other, limit) && other.max === limit.max));
  return isUnchanged ? undefined : limits;
}

/** Whether a value, such as one from the audit log, is a limit. */
export function isLimit(value: unknown): value is Limit {
  const fields = ['metric', 'per', 'max'];
  return typeof value === 'object' && value !== null && fields.every((field) => field in value);
}

/** Describes a limit, such as "60 requests per minute". */
export function describeLimit({ metric, per, max }: Limit): string {
  return `${pluralize(max, metric.slice(0, -1))} per ${per}`;
}

/** Such as `40 used, 10 of it reserved by running requests`. */
export function describeUse({ used, reserved, estimated }: LimitState): string {
  const parts = [
    ...(reserved > 0 ? [`${formatCount(reserved)} of it reserved by running requests`] : []),
    ...(estimated > 0 ? [`${formatCount(estimated)} of it estimated`] : []),
  ];
  return [`${formatCount(used)} used`, ...parts].join(', ');
}

/** Describes when a limit is available again; undefined if all of it is. `now` is in milliseconds since 1970. */
export function describeReset({ per, used, resetsAt }: LimitState, now: number): string | undefined {
  if (used === 0 && !isBudget({ per })) return undefined;
  const isSoon = Date.parse(resetsAt) - now < 10_000;
  const time = isSoon ? 'in a few seconds' : relativeTime(resetsAt, now);
  return `${isBudget({ per }) ? 'Resets' : 'Fully available again'} ${time}`;
}

function isSame(one: Pick<LimitRow, 'metric' | 'per'>, other: Pick<LimitRow, 'metric' | 'per'>): boolean {
  return one.metric === other.metric && one.per === other.per;
}
