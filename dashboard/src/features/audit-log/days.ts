/** A day of the reader's calendar, such as `2026-11-21`. */
export type Day = string;

/** The day that a text names, if any. */
export function readDay(value: unknown): Day | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return dayOf(beginningOf(value)) === value ? value : undefined;
}

/** The day that it is at this moment, where the reader is. */
export function dayOf(moment: Date): Day {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  const [year = '', month = '', date = ''] = parts.map(String);
  return `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
}

/** The day that lies so many days before this moment's. */
export function daysBefore(moment: Date, count: number): Day {
  return dayOf(new Date(moment.getFullYear(), moment.getMonth(), moment.getDate() - count));
}

/** From the beginning of the first day to the end of the last, as the service takes it. Either may be open. */
export function periodOf({ from, to }: { from?: Day; to?: Day }): { from?: string; to?: string } {
  return {
    from: from === undefined ? undefined : beginningOf(from).toISOString(),
    to: to === undefined ? undefined : beginningOf(to, 1).toISOString(),
  };
}

/** The day in words: "Today", "Yesterday", "21 November 2026". */
export function nameOfDay(day: Day, now: Date): string {
  if (day === daysBefore(now, 0)) return 'Today';
  if (day === daysBefore(now, 1)) return 'Yesterday';
  return beginningOf(day).toLocaleDateString('en-GB', { dateStyle: 'long' });
}

/** Its first moment, or that of the day so many days later: days do not all have 24 hours. */
function beginningOf(day: Day, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}
