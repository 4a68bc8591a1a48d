import { countDays, dayOf, startOfDay } from '../../../lib/calendar-day.js';
import { type CalendarMonth, daysOfMonth, monthOf, startOfMonth } from '../../../lib/calendar-month.js';
import { lazily } from '../../../lib/lazily.js';
import { locale } from '../../../lib/locale.js';
import type { UsageRange } from '../search.js';

/** The period and steps of a usage request. */
export interface UsagePeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  interval: 'hour' | 'day';
  intervalCount: number;
  /** The period it is compared with, such as "the previous 7 days" or "October". */
  previousName: string;
  /** Set if the period is a calendar month, or the part of it that has passed. */
  month?: CalendarMonth;
}

const monthName = lazily(() => new Intl.DateTimeFormat(locale, { month: 'long' }));
const dayAndMonth = lazily(() => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }));

const dashWithoutBreak = '\u2060–\u2060';

const hourMilliseconds = 3_600_000;
const hours = 24;
/** Longer custom ranges have too many hours for a chart. */
const maxDaysByHour = 3;
/** The service keeps hours for 35 days. The start of a local day may be up to a UTC day earlier. */
const hourlyDays = 34;
/** The service's limit for the points of all groups. */
const maxPoints = 1000;
/** The service's limit for groups. */
export const maxRequestedGroups = 100;
/** More colors are hard to distinguish. */
const maxGroups = 7;

/** Converts the range in the URL to a period of local days or hours. */
export function toUsagePeriod({ range, month, from, to }: UsageRange, now: Date): UsagePeriod {
  if (month !== undefined) return toMonth(month, now);
  if (from !== undefined && to !== undefined) {
    const days = countDays(from, to);
    const hasHours = days <= maxDaysByHour && startOfDay(from) >= startOfDay(dayOf(now), -hourlyDays);
    const steps = { ...inDays(days), ...(hasHours && { interval: 'hour' as const, intervalCount: days * hours }) };
    const [start, end] = [startOfDay(from), startOfDay(to, 1)];
    // Not the hours to come.
    return { from: start, to: start < now && now < end ? now : end, ...steps };
  }
  if (range === '24h') {
    // The current hour is the last one.
    const start = new Date(now.getTime() - (hours - 1) * hourMilliseconds);
    return { from: start, to: now, interval: 'hour', intervalCount: hours, previousName: 'the previous 24 hours' };
  }
  const days = { '7d': 7, '30d': 30, '90d': 90 }[range];
  return { from: startOfDay(dayOf(now), 1 - days), to: now, ...inDays(days) };
}

/** The period of the same length before this one; of a month, the month before, or the same part of it. */
export function previousPeriod(period: UsagePeriod): UsagePeriod {
  const { from, to, interval, intervalCount, month } = period;
  if (month !== undefined) return { ...period, from: startOfMonth(month, -1), to: sameTimeInPreviousMonth(month, to) };
  const milliseconds = intervalCount * (interval === 'day' ? hours : 1) * hourMilliseconds;
  const shift = (time: Date) => new Date(time.getTime() - milliseconds);
  return { ...period, from: shift(from), to: shift(to) };
}

function toMonth(month: CalendarMonth, now: Date): UsagePeriod {
  const [start, end] = [startOfMonth(month), startOfMonth(month, 1)];
  const isRunning = start < now && now < end;
  return {
    from: start,
    // Not the days to come.
    to: isRunning ? now : end,
    interval: 'day',
    intervalCount: countDays(...daysOfMonth(month)),
    previousName: namePreviousMonth(month, isRunning ? now.getDate() : undefined),
    month,
  };
}

/** Such as "October", or "Oct 1–21" for the part that has passed of a running month. */
function namePreviousMonth(month: CalendarMonth, passedDays: number | undefined): string {
  const first = startOfMonth(month, -1);
  const days = countDays(...daysOfMonth(monthOf(first)));
  if (passedDays === undefined || passedDays >= days) return monthName().format(first);
  const range = dayAndMonth().formatRange(first, startOfDay(dayOf(first), passedDays - 1));
  return range.replace(/\s*–\s*/u, dashWithoutBreak).replaceAll(' ', '\u00a0');
}

/** The end of the previous month if it's shorter. */
function sameTimeInPreviousMonth(month: CalendarMonth, time: Date): Date {
  const end = startOfMonth(month);
  if (time >= startOfMonth(month, 1)) return end;
  const start = startOfMonth(month, -1);
  const same = new Date(start.getFullYear(), start.getMonth(), time.getDate(), time.getHours(), time.getMinutes());
  return same < end ? same : end;
}

function inDays(days: number): Pick<UsagePeriod, 'interval' | 'intervalCount' | 'previousName'> {
  const previousName = days === 1 ? 'the previous day' : `the previous ${days} days`;
  return { interval: 'day', intervalCount: days, previousName };
}

/** Returns how many groups have colors and fit in a response along with all others combined. */
export function groupLimit(period: UsagePeriod): number {
  return Math.min(maxGroups, exportedGroups(period));
}

/** Returns how many groups fit in a response along with all others combined. */
export function exportedGroups({ intervalCount }: Pick<UsagePeriod, 'intervalCount'>): number {
  const fittingGroups = Math.floor(maxPoints / intervalCount) - 1;
  return Math.max(1, Math.min(maxRequestedGroups, fittingGroups));
}
