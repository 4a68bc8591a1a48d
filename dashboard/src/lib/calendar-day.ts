/** A day of the reader's calendar, such as "2026-01-31". */
export type CalendarDay = string;

const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

/** The day on which a moment falls. */
export function dayOf(moment: Date): CalendarDay {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

/** The day that comes so many days before that of a moment. */
export function daysBefore(moment: Date, count: number): CalendarDay {
  return dayOf(startOfDay(dayOf(moment), -count));
}

/** The beginning of a day, or of one that comes so many days after it: days do not all have 24 hours. */
export function startOfDay(day: CalendarDay, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}

/** How many days there are, both of them included. */
export function countDays(first: CalendarDay, last: CalendarDay): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
}

/** The day that a text names; undefined when there is no such day. */
export function readDay(value: unknown): CalendarDay | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return dayOf(startOfDay(value)) === value ? value : undefined;
}

/** Some days, such as "1 Nov 2026 – 21 Nov 2026"; what is not chosen is left open. */
export function formatDays(days: readonly [CalendarDay | null, CalendarDay | null]): string {
  if (days.every((day) => day === null)) return '';
  return days.map((day) => (day === null ? '' : shortDay.format(startOfDay(day)))).join(' – ');
}

/** The day in words: "Today", "Yesterday", "21 November 2026". */
export function nameOfDay(day: CalendarDay, now: Date): string {
  if (day === dayOf(now)) return 'Today';
  return day === daysBefore(now, 1) ? 'Yesterday' : longDay.format(startOfDay(day));
}
