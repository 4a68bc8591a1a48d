import type { CalendarDay } from '../../../lib/calendar-day.js';
import { dayAt } from '../../../lib/time-zone.js';
import { keepsHours } from '../filters/usage-period.js';
import type { Steps } from './format-interval.js';
import type { Chart } from './series.js';

/** Whether the chart has days to open, instead of hours or the day that is already shown. */
export function hasDaysToOpen({ starts }: Pick<Chart, 'starts'>, { interval }: Pick<Steps, 'interval'>): boolean {
  return interval === 'day' && starts.length > 1;
}

/** The day that begins at the start of an interval. */
export function dayOfStart(start: string, { timeZone }: Pick<Steps, 'timeZone'>): CalendarDay {
  return dayAt(timeZone, new Date(start));
}

/** Says what a click on a day of the chart is for. */
export function describeOpening(start: string, steps: Steps, now: Date): string {
  const hasHours = keepsHours(dayOfStart(start, steps), now, steps.timeZone);
  return hasHours ? 'to see this day by hour' : 'to see this day';
}
