import { forecastDays } from '../common/rules/month-forecast.js';
import { CalendarDays } from '../usage/calendar-days.js';
import type { UsagePeriod } from '../usage/usage-period.js';

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;

export interface RecentPeriods {
  /** With the starts of its hours until now. */
  today: UsagePeriod;
  /** With the starts of its days until today. */
  month: UsagePeriod;
  /** The starts of the days before today: those of the month, and as many as a forecast needs. */
  earlier: Date[];
  /** How many days of the month follow today. */
  daysLeft: number;
  /** The part of the month before that the current one is compared with: until the same minute, at most to its end. */
  compared: Pick<UsagePeriod, 'from' | 'to'>;
}

/**
 * The current day and month of a time zone.
 *
 * @param timeZone IANA name
 */
export function recentPeriods(timeZone: string, now: Date): RecentPeriods {
  const days = new CalendarDays(timeZone);
  const day = days.numberOf(now);
  const [first, next] = monthOf(day);
  const [firstBefore] = monthOf(first - 1);
  const same = days.sameMinuteOn(firstBefore + day - first, now);
  const [from, to] = [days.startOf(day), days.startOf(day + 1)];
  const hours = Math.max(1, Math.ceil((now.getTime() + 1 - from.getTime()) / hourMilliseconds));
  const today: UsagePeriod = {
    from,
    to,
    starts: Array.from({ length: hours }, (_, hour) => new Date(from.getTime() + hour * hourMilliseconds)),
  };
  const count = Math.max(forecastDays, day - first);
  const earlier = Array.from({ length: count }, (_, index) => days.startOf(day - count + index));
  const starts = [...earlier.slice(count - (day - first)), from];
  return {
    today,
    month: { from: days.startOf(first), to: days.startOf(next), starts },
    earlier,
    daysLeft: next - 1 - day,
    compared: { from: days.startOf(firstBefore), to: same < days.startOf(first) ? same : days.startOf(first) },
  };
}

/** The numbers of the first days of a day's month and of the next one. */
function monthOf(day: number): [first: number, next: number] {
  const date = new Date(day * dayMilliseconds);
  const startOf = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset) / dayMilliseconds;
  return [startOf(0), startOf(1)];
}
