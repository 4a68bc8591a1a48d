import { invalidField } from '../common/errors/app-error.js';
import { CalendarDays } from './calendar-days.js';
import { dayTimeHours, hourlyDays } from './history/packed-usage.js';

export const intervals = ['hour', 'day', 'none'] as const;
export type Interval = (typeof intervals)[number];

/** OpenAPI schema of an interval. */
export const intervalEnum = {
  enum: intervals,
  enumName: 'UsageInterval',
  enumSchema: { description: 'Length of the intervals of a usage report.' },
};

/** Maximum number of points in a report, over all groups. */
export const maxPoints = 1000;

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;
const dayTimeMilliseconds = dayTimeHours * hourMilliseconds;

/** Whole UTC hours, or whole days of a time zone. */
export interface UsagePeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Start of each interval; empty for `none`. */
  starts: Date[];
}

/** A period as requested. */
interface RequestedPeriod {
  from?: Date | undefined;
  to?: Date | undefined;
  interval: Interval;
  /** IANA name. Defines days. */
  timeZone: string;
}

/**
 * Extends a requested period to whole UTC hours, or to whole days of its time zone.
 *
 * @param now default of `to`; `from` defaults to 24 hours before `to`
 * @param names of the query parameters, for errors
 * @throws AppError 400 if `from` isn't before `to`, there are too many intervals, or the period is older than the hours that are kept
 */
export function toUsagePeriod(
  { from: requestedFrom, to: requestedTo, interval, timeZone }: RequestedPeriod,
  now: Date,
  names = { from: 'from', to: 'to' },
): UsagePeriod {
  const to = requestedTo ?? now;
  const from = requestedFrom ?? new Date(to.getTime() - 24 * hourMilliseconds);
  if (from >= to) {
    const [start, end] = [from.toISOString(), to.toISOString()];
    throw invalidField(names.from, `${names.from} (${start}) must be before ${names.to} (${end}).`);
  }
  if (interval === 'day') return toDays(from, to, timeZone);
  const first = Math.floor(from.getTime() / hourMilliseconds);
  const end = Math.ceil(to.getTime() / hourMilliseconds);
  if (interval === 'none') {
    return toKeptSlots({ from: startOfHour(first), to: startOfHour(end) }, firstKeptHour(now), names.from);
  }
  checkPointCount(end - first, 1);
  const oldest = firstKeptHour(now);
  if (startOfHour(first) < oldest) {
    const advice = `from must not be before ${oldest.toISOString()}. Use interval=day for older usage.`;
    throw invalidField('from', `Usage by hour is kept for ${hourlyDays} days: ${advice}`);
  }
  const starts = Array.from({ length: end - first }, (_, index) => startOfHour(first + index));
  return { from: startOfHour(first), to: startOfHour(end), starts };
}

/** Usage before this time is kept by UTC day. */
export function firstKeptHour(now: Date): Date {
  return startOfHour((Math.floor(now.getTime() / dayMilliseconds) - hourlyDays) * 24);
}

/** Usage before this time is deleted in the next run of the retention task. */
export function firstKeptDay(now: Date, retentionDays: number): Date {
  return new Date((Math.floor(now.getTime() / dayMilliseconds) - retentionDays) * dayMilliseconds);
}

/** Moves the ends of a period without intervals to UTC days where hours are no longer kept. */
function toKeptSlots({ from, to }: Pick<UsagePeriod, 'from' | 'to'>, firstHour: Date, field: string): UsagePeriod {
  const moved = {
    from: from < firstHour ? nearestDay(from) : from,
    to: to < firstHour ? nearestDay(to) : to,
    starts: [],
  };
  if (moved.from < moved.to) return moved;
  const advice = 'Before, choose whole UTC days.';
  throw invalidField(field, `Usage by hour is kept since ${firstHour.toISOString()}. ${advice}`);
}

/** The start of the first UTC day that counts as used at the instant or later; see `packedTables`. */
function nearestDay(instant: Date): Date {
  return new Date(Math.ceil((instant.getTime() - dayTimeMilliseconds) / dayMilliseconds) * dayMilliseconds);
}

function startOfHour(number: number): Date {
  return new Date(number * hourMilliseconds);
}

function toDays(from: Date, to: Date, timeZone: string): UsagePeriod {
  const days = new CalendarDays(timeZone);
  const first = days.numberOf(from);
  const last = days.numberOf(new Date(to.getTime() - 1));
  const count = last - first + 1;
  checkPointCount(count, 1);
  const bounds = Array.from({ length: count + 1 }, (_, index) => days.startOf(first + index));
  // A time zone that moves across the date line skips a day.
  const starts = bounds.filter((start, index) => start < (bounds[index + 1] ?? start));
  return { from: bounds[0] ?? from, to: bounds[count] ?? to, starts };
}

/**
 * @param intervalCount 0 if groups only have totals, which count as one point
 * @throws AppError 400 if the report would have too many points
 */
export function checkPointCount(intervalCount: number, groupCount: number): void {
  const points = Math.max(1, intervalCount) * groupCount;
  if (points <= maxPoints) return;
  const [field, change] =
    intervalCount > 1
      ? ['interval', 'Choose a longer interval, a shorter period or a filter.']
      : ['groupBy', 'Choose another grouping, a shorter period or a filter.'];
  throw invalidField(
    field,
    `The report would have ${points} points (${groupCount} groups of ${Math.max(1, intervalCount)}), but at most ${maxPoints} are allowed. ${change}`,
  );
}
