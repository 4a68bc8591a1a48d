import { AppError } from '../common/errors/app-error.js';
import { CalendarDays } from './calendar-days.js';

export const intervals = ['hour', 'day', 'none'] as const;
export type Interval = (typeof intervals)[number];

/** How many points an answer may have, over all its groups. */
export const largestPointCount = 1000;

const hourMilliseconds = 3_600_000;

/** Whole hours of UTC, or whole days of a time zone. */
export interface UsagePeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  /** When each interval begins; empty for `none`. */
  starts: Date[];
}

/** The period that was asked for. */
interface AskedPeriod {
  from?: Date | undefined;
  to?: Date | undefined;
  interval: Interval;
  /** Whose days; an IANA name. */
  timeZone: string;
}

/**
 * The hours of UTC, or the days of the time zone, that the asked-for period touches.
 *
 * @param now stands for `to` where that is not given; `from` is then, or for itself, 24 hours earlier
 * @throws AppError 400 when `from` is not before `to` or there are too many intervals
 */
export function toUsagePeriod(
  { from: askedFrom, to: askedTo, interval, timeZone }: AskedPeriod,
  now: Date,
): UsagePeriod {
  const to = askedTo ?? now;
  const from = askedFrom ?? new Date(to.getTime() - 24 * hourMilliseconds);
  if (from >= to) {
    const message = `from must be before to; it is ${from.toISOString()}, and to is ${to.toISOString()}`;
    throw new AppError('validation-failed', message, { fields: [{ field: 'from', message }] });
  }
  if (interval === 'day') return toDays(from, to, timeZone);
  const first = Math.floor(from.getTime() / hourMilliseconds);
  const end = Math.ceil(to.getTime() / hourMilliseconds);
  const count = interval === 'none' ? 0 : end - first;
  checkPointCount(count, 1);
  const hours = Array.from({ length: count }, (_, index) => startOfHour(first + index));
  return { from: startOfHour(first), to: startOfHour(end), starts: hours };
}

function toDays(from: Date, to: Date, timeZone: string): UsagePeriod {
  const days = new CalendarDays(timeZone);
  const first = days.numberOf(from);
  const last = days.numberOf(new Date(to.getTime() - 1));
  const count = last - first + 1;
  checkPointCount(count, 1);
  const bounds = Array.from({ length: count + 1 }, (_, index) => days.startOf(first + index));
  // A zone that has moved across the date line has skipped a day.
  const starts = bounds.filter((start, index) => start < (bounds[index + 1] ?? start));
  return { from: bounds[0] ?? from, to: bounds[count] ?? to, starts };
}

function startOfHour(number: number): Date {
  return new Date(number * hourMilliseconds);
}

/**
 * @param intervalCount 0 where a group has its totals only, which then count as its one point
 * @throws AppError 400 that says what to change
 */
export function checkPointCount(intervalCount: number, groupCount: number): void {
  const points = Math.max(1, intervalCount) * groupCount;
  if (points <= largestPointCount) return;
  const [field, change] =
    intervalCount > 1
      ? ['interval', 'choose a longer interval, a shorter period or a filter']
      : ['groupBy', 'choose another grouping, a shorter period or a filter'];
  const message = `the answer would have ${points} points (${groupCount} groups of ${Math.max(1, intervalCount)}), and at most ${largestPointCount} are allowed: ${change}`;
  throw new AppError('validation-failed', message, { fields: [{ field, message }] });
}
