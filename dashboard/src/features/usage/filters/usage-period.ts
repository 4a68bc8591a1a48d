import { countDays, dayOf, startOfDay } from '../../../lib/calendar-day.js';
import type { UsageSearch } from '../search.js';

/** The period and steps of a usage request. */
export interface UsagePeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  interval: 'hour' | 'day';
  intervalCount: number;
  /** Completes "in the previous", such as "24 hours", "day" or "7 days". */
  length: string;
}

const hourMilliseconds = 3_600_000;
const hours = 24;
/** Longer custom ranges have too many hours for a chart. */
const maxDaysByHour = 3;
/** The service keeps hours for 35 days. The start of a local day may be up to a UTC day earlier. */
const hourlyDays = 34;
/** The service's limit for the points of all groups. */
const maxPoints = 1000;
/** More colors are hard to distinguish. */
const maxGroups = 7;

/** Converts the range in the URL to a period of local days or hours. */
export function toUsagePeriod({ range, from, to }: UsageSearch, now: Date): UsagePeriod {
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
    return { from: start, to: now, interval: 'hour', intervalCount: hours, length: '24 hours' };
  }
  const days = { '7d': 7, '30d': 30, '90d': 90 }[range];
  return { from: startOfDay(dayOf(now), 1 - days), to: now, ...inDays(days) };
}

/** The period of the same length before this one. */
export function previousPeriod(period: UsagePeriod): UsagePeriod {
  const { from, to, interval, intervalCount } = period;
  const milliseconds = intervalCount * (interval === 'day' ? hours : 1) * hourMilliseconds;
  const shift = (time: Date) => new Date(time.getTime() - milliseconds);
  return { ...period, from: shift(from), to: shift(to) };
}

function inDays(days: number): Pick<UsagePeriod, 'interval' | 'intervalCount' | 'length'> {
  return { interval: 'day', intervalCount: days, length: days === 1 ? 'day' : `${days} days` };
}

/** Returns how many groups fit in a response along with all others combined. */
export function groupLimit({ intervalCount }: UsagePeriod): number {
  const fittingGroups = Math.floor(maxPoints / intervalCount) - 1;
  return Math.max(1, Math.min(maxGroups, fittingGroups));
}
