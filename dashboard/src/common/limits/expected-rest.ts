import { forecastDays, forecastMonth } from '@rules/month-forecast.js';
import type { CalendarDay } from '../../lib/calendar-day.js';
import { monthAt } from '../../lib/time-zone.js';

/** How many days before today a forecast needs: also those of the month. */
export function daysToRead(today: CalendarDay): number {
  return Math.max(forecastDays, dayOfMonth(today) - 1);
}

interface RecentCosts {
  /** Of each day until today, in billionths. */
  costs: readonly bigint[];
  today: CalendarDay;
  timeZone: string;
  /** Milliseconds since 1970. */
  now: number;
  /** When the key was created, before which it couldn't use anything; milliseconds since 1970, 0 for the organization. */
  since: number;
}

/** What the rest of the current month will probably cost, in billionths; undefined if it's too early to say. */
export function expectRest({ costs, today, timeZone, now, since }: RecentCosts): bigint | undefined {
  const day = dayOfMonth(today);
  const { start, end } = monthAt(timeZone, now);
  const used = costs.slice(-day).reduce((sum, cost) => sum + cost, 0n);
  const month = { used, today: costs.at(-1) ?? 0n, earlier: costs.slice(0, -1), daysLeft: daysInMonth(today) - day };
  const total = forecastMonth(month, { start: Math.max(start, since), end }, now);
  return total === undefined ? undefined : total - used;
}

function dayOfMonth(day: CalendarDay): number {
  return Number(day.slice(8));
}

function daysInMonth(day: CalendarDay): number {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
