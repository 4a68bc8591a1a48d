import { type CalendarDay, startOfDay } from '../../../lib/calendar-day.js';

/** From the beginning of the first day to the end of the last, as the service takes it. Either may be open. */
export function periodOf({ from, to }: { from?: CalendarDay; to?: CalendarDay }): { from?: string; to?: string } {
  return {
    from: from === undefined ? undefined : startOfDay(from).toISOString(),
    to: to === undefined ? undefined : startOfDay(to, 1).toISOString(),
  };
}
