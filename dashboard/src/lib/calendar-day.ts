import { lazily } from './lazily.js';
import { firstDayOfWeek, locale } from './locale.js';

/** A day in the user's time zone, such as "2026-01-31". */
export type CalendarDay = string;

const shortDay = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }));
const longDay = lazily(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }));

/** Returns the local day of a point in time. */
export function dayOf(moment: Date): CalendarDay {
  const parts = [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}

/** Returns the local day `count` days earlier. */
export function daysBefore(moment: Date, count: number): CalendarDay {
  return dayOf(startOfDay(dayOf(moment), -count));
}

/** Returns local midnight of a day, optionally some days later. Handles days of 23 and 25 hours. */
export function startOfDay(day: CalendarDay, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}

/** Counts the days of a range, including both ends. */
export function countDays(first: CalendarDay, last: CalendarDay): number {
  return (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1;
}

/** Validates a day; returns undefined if it doesn't exist. */
export function readDay(value: unknown): CalendarDay | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  return dayOf(startOfDay(value)) === value ? value : undefined;
}

/** Formats a range, such as "1 – 21 Nov 2026". Ends that aren't selected are left blank. */
export function formatDays(days: readonly [CalendarDay | null, CalendarDay | null]): string {
  const [first, last] = days;
  if (first === null && last === null) return '';
  if (first !== null && last !== null) return shortDay().formatRange(startOfDay(first), startOfDay(last));
  return days.map((day) => (day === null ? '' : shortDay().format(startOfDay(day)))).join(' – ');
}

/** Formats a day in full, such as "21 November 2026". */
export function formatDay(day: CalendarDay): string {
  return longDay().format(startOfDay(day));
}

/** Formats a day as "Today", "Yesterday" or "21 November 2026". */
export function nameOfDay(day: CalendarDay, now: Date): string {
  if (day === dayOf(now)) return 'Today';
  return day === daysBefore(now, 1) ? 'Yesterday' : formatDay(day);
}

/** Days to move by a key. */
const daySteps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
/** Months to move by a key. */
const monthSteps: Record<string, number> = { PageUp: -1, PageDown: 1 };

/** Returns the day that a key of a calendar moves to, such as the arrow keys; undefined for other keys. */
export function dayAfterKey(key: string, day: CalendarDay): CalendarDay | undefined {
  if (key in daySteps) return dayOf(startOfDay(day, daySteps[key]));
  const dayOfWeek = (startOfDay(day).getDay() - firstDayOfWeek() + 7) % 7;
  if (key === 'Home') return dayOf(startOfDay(day, -dayOfWeek));
  if (key === 'End') return dayOf(startOfDay(day, 6 - dayOfWeek));
  if (!(key in monthSteps)) return undefined;
  const { 0: year = 0, 1: month = 1, 2: date = 1 } = day.split('-').map(Number);
  const lastOfMonth = new Date(year, month + (monthSteps[key] ?? 0), 0);
  return dayOf(new Date(lastOfMonth.getFullYear(), lastOfMonth.getMonth(), Math.min(date, lastOfMonth.getDate())));
}
