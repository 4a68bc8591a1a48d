import { countDays, dayOf, startOfDay } from '../../../lib/calendar-day.js';
import type { UsageSearch } from '../search.js';

/** Which time the service is asked about, and in what steps. */
export interface UsagePeriod {
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  interval: 'hour' | 'day';
  intervalCount: number;
}

const hourMilliseconds = 3_600_000;
const hours = 24;
/** Up to so many days, hours still fit into a chart. */
const mostDaysInHours = 3;
/** The service answers with as many points at most, over all groups. */
const mostPoints = 1000;
/** Beyond it, colours can no longer be told apart. */
const mostGroups = 7;

/** The time that the address means at this moment: whole days of the reader's calendar, or hours. */
export function toUsagePeriod({ range, from, to }: UsageSearch, now: Date): UsagePeriod {
  if (from !== undefined && to !== undefined) {
    const days = countDays(from, to);
    const steps = days <= mostDaysInHours ? { interval: 'hour' as const, intervalCount: days * hours } : inDays(days);
    return { from: startOfDay(from), to: startOfDay(to, 1), ...steps };
  }
  if (range === '24h') {
    // The present hour is the last of them.
    const start = new Date(now.getTime() - (hours - 1) * hourMilliseconds);
    return { from: start, to: now, interval: 'hour', intervalCount: hours };
  }
  const days = { '7d': 7, '30d': 30, '90d': 90 }[range];
  return { from: startOfDay(dayOf(now), 1 - days), to: now, ...inDays(days) };
}

function inDays(days: number): Pick<UsagePeriod, 'interval' | 'intervalCount'> {
  return { interval: 'day', intervalCount: days };
}

/** How many groups may be shown one by one, so that they and the others fit into one answer. */
export function groupLimit({ intervalCount }: UsagePeriod): number {
  const fitting = Math.floor(mostPoints / intervalCount) - 1;
  return Math.max(1, Math.min(mostGroups, fitting));
}
