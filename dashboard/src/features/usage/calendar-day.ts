/** A day of the reader's calendar, such as "2026-01-31". */
export type CalendarDay = string;

/** The day on which a moment falls. */
export function dayOf(moment: Date): CalendarDay {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

/** The beginning of a day, or of one that comes so many days after it. */
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
