import { namePreviousMonth } from '../../../common/usage/previous-month.js';
import { type CalendarDay, countDays } from '../../../lib/calendar-day.js';
import { type CalendarMonth, daysOfMonth } from '../../../lib/calendar-month.js';
import { clockOf, dayAt, startOfDayIn, startOfMonthIn, toInstant } from '../../../lib/time-zone.js';
import type { Steps } from '../charts/format-interval.js';
import type { UsageRange } from '../search.js';

/** The period and steps of a usage request. */
export interface UsagePeriod extends Steps {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  intervalCount: number;
  /** The period it is compared with, such as "the previous 7 days" or "October". */
  previousName: string;
  /** Set if the period is a calendar month, or the part of it that has passed. */
  month?: CalendarMonth;
}

const minuteMilliseconds = 60_000;
const hourMilliseconds = 60 * minuteMilliseconds;
const hours = 24;
/** Longer custom ranges have too many hours for a chart. */
const maxDaysByHour = 3;
/** The service keeps hours for 35 days. The start of a day may be up to a UTC day earlier. */
const hourlyDays = 34;
/** The service's limit for the points of all groups. */
const maxPoints = 1000;
/** The service's limit for groups. */
export const maxRequestedGroups = 100;
/** More colors are hard to distinguish. */
const maxGroups = 7;

/** Converts the range in the URL to a period of days or hours in the time zone. */
export function toUsagePeriod({ range, month, from, to }: UsageRange, now: Date, timeZone: string): UsagePeriod {
  if (month !== undefined) return toMonth(month, now, timeZone);
  const today = dayAt(timeZone, now);
  if (from !== undefined && to !== undefined) {
    const days = countDays(from, to);
    const [start, end] = [startOfDayIn(timeZone, from), startOfDayIn(timeZone, to, 1)];
    const hasHours = days <= maxDaysByHour && keepsHours(from, now, timeZone);
    const steps = { ...inDays(days), ...(hasHours && { interval: 'hour' as const, intervalCount: days * hours }) };
    const isRunning = start < now && now < end;
    return {
      // Not the hours to come.
      ...{ from: start, to: isRunning ? now : end, timeZone },
      ...steps,
      ...(isRunning && { previousName: `the same part of ${steps.previousName}` }),
    };
  }
  if (range === '24h') {
    // The current hour is the last one.
    const start = new Date(now.getTime() - (hours - 1) * hourMilliseconds);
    const previousName = 'the previous 24 hours';
    return { from: start, to: now, timeZone, interval: 'hour', intervalCount: hours, previousName };
  }
  const days = { '7d': 7, '30d': 30, '90d': 90 }[range];
  return { from: startOfDayIn(timeZone, today, 1 - days), to: now, timeZone, ...inDays(days) };
}

/** Whether the service still has the hours of a day. */
export function keepsHours(day: CalendarDay, now: Date, timeZone: string): boolean {
  return startOfDayIn(timeZone, day) >= startOfDayIn(timeZone, dayAt(timeZone, now), -hourlyDays);
}

/** The period of the same length before this one; of a month, the month before, or the same part of it. */
export function previousPeriod(period: UsagePeriod): UsagePeriod {
  const { from, to, interval, intervalCount, month, timeZone } = period;
  if (month !== undefined) {
    return {
      ...period,
      from: startOfMonthIn(timeZone, month, -1),
      to: sameTimeInPreviousMonth(timeZone, month, to),
    };
  }
  const milliseconds = intervalCount * (interval === 'day' ? hours : 1) * hourMilliseconds;
  const shift = (time: Date) => new Date(time.getTime() - milliseconds);
  return { ...period, from: shift(from), to: shift(to) };
}

function toMonth(month: CalendarMonth, now: Date, timeZone: string): UsagePeriod {
  const [start, end] = [startOfMonthIn(timeZone, month), startOfMonthIn(timeZone, month, 1)];
  const isRunning = start < now && now < end;
  return {
    from: start,
    // Not the days to come.
    to: isRunning ? now : end,
    timeZone,
    interval: 'day',
    intervalCount: countDays(...daysOfMonth(month)),
    previousName: namePreviousMonth(month, isRunning ? new Date(clockOf(timeZone, now.getTime())) : undefined).name,
    month,
  };
}

/** The end of the previous month if it's shorter. */
function sameTimeInPreviousMonth(timeZone: string, month: CalendarMonth, time: Date): Date {
  const end = startOfMonthIn(timeZone, month);
  if (time >= startOfMonthIn(timeZone, month, 1)) return end;
  const clock = new Date(clockOf(timeZone, time.getTime()));
  const [year, before] = [clock.getUTCFullYear(), clock.getUTCMonth() - 1];
  // Rounded up, so that the first minute of a month isn't compared with nothing.
  const minutes = clock.getUTCMinutes() + (time.getTime() % minuteMilliseconds === 0 ? 0 : 1);
  const minute = Date.UTC(year, before, clock.getUTCDate(), clock.getUTCHours(), minutes);
  const same = new Date(toInstant(timeZone, minute));
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
