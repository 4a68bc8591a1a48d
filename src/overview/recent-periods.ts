import { CalendarDays } from '../usage/calendar-days.js';
import type { UsagePeriod } from '../usage/usage-period.js';

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;

/**
 * The current day and month of a time zone, with the starts of their hours and days until now.
 *
 * @param timeZone IANA name
 */
export function recentPeriods(timeZone: string, now: Date): { today: UsagePeriod; month: UsagePeriod } {
  const days = new CalendarDays(timeZone);
  const day = days.numberOf(now);
  const [first, next] = monthOf(day);
  const [from, to] = [days.startOf(day), days.startOf(day + 1)];
  const hours = Math.max(1, Math.ceil((now.getTime() + 1 - from.getTime()) / hourMilliseconds));
  const today: UsagePeriod = {
    from,
    to,
    starts: Array.from({ length: hours }, (_, hour) => new Date(from.getTime() + hour * hourMilliseconds)),
  };
  const starts = Array.from({ length: day - first + 1 }, (_, index) => days.startOf(first + index));
  return { today, month: { from: days.startOf(first), to: days.startOf(next), starts } };
}

/** The numbers of the first days of a day's month and of the next one. */
function monthOf(day: number): [first: number, next: number] {
  const date = new Date(day * dayMilliseconds);
  const startOf = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset) / dayMilliseconds;
  return [startOf(0), startOf(1)];
}
