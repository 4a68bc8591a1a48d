import type { BudgetPeriod } from '@rules/limit-rules.js';
import type { TimeSpan } from '@rules/forecast.js';
import { dayAt, monthAt, startOfDayIn } from '../../lib/time-zone.js';

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;
const weekMilliseconds = 7 * dayMilliseconds;
/** How far clocks can be behind or ahead of UTC. */
const maxOffsetMilliseconds = 14 * hourMilliseconds;

/**
 * The period of a budget that ends at a time, which is midnight in the organization's time zone. The start is up to an
 * hour off if the clocks change in between.
 *
 * @param end milliseconds since 1970
 */
export function budgetPeriod(per: BudgetPeriod, end: number): TimeSpan {
  switch (per) {
    case 'day':
      return { start: end - dayMilliseconds, end };
    case 'week':
      return { start: end - weekMilliseconds, end };
    case 'month': {
      const next = firstOfMonth(end);
      const offset = end - next;
      const month = new Date(next);
      return { start: Date.UTC(month.getUTCFullYear(), month.getUTCMonth() - 1, 1) + offset, end };
    }
  }
}

/** When the current day, week or month of a budget began in the organization's time zone. */
export function currentPeriodStart(per: BudgetPeriod, timeZone: string, now: number): Date {
  const today = dayAt(timeZone, new Date(now));
  if (per === 'month') return new Date(monthAt(timeZone, now).start);
  return startOfDayIn(timeZone, today, per === 'day' ? 0 : -((new Date(today).getUTCDay() + 6) % 7));
}

/** The last day of a budget's week or month, as midnight UTC. */
export function lastDayOf(per: 'week' | 'month', end: number): number {
  return (per === 'month' ? firstOfMonth(end) : mondayOf(end)) - dayMilliseconds;
}

/** Midnight UTC of the day on which a month starts at `start` in some time zone. */
function firstOfMonth(start: number): number {
  const later = new Date(start + maxOffsetMilliseconds);
  return Date.UTC(later.getUTCFullYear(), later.getUTCMonth(), 1);
}

/** Midnight UTC of the day on which a week starts at `start` in some time zone. */
function mondayOf(start: number): number {
  const later = new Date(start + maxOffsetMilliseconds);
  const daysSinceMonday = (later.getUTCDay() + 6) % 7;
  return Date.UTC(later.getUTCFullYear(), later.getUTCMonth(), later.getUTCDate() - daysSinceMonday);
}
