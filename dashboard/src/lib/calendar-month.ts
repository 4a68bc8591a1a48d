import { lazily } from './lazily.js';
import { type CalendarDay, dayOf, startOfDay } from './calendar-day.js';
import { locale } from './locale.js';

/** A month in the user's time zone, such as "2026-01". */
export type CalendarMonth = string;

const monthAndYear = lazily(() => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));

/** Returns the local month of a point in time. */
export function monthOf(moment: Date): CalendarMonth {
  return dayOf(moment).slice(0, 7);
}

/** Returns the month `count` months earlier. */
export function monthsBefore(month: CalendarMonth, count: number): CalendarMonth {
  return monthOf(startOfMonth(month, -count));
}

/** Returns local midnight of the first day of a month, optionally some months later. */
export function startOfMonth(month: CalendarMonth, monthsLater = 0): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(year, number - 1 + monthsLater, 1);
}

/** Returns the first and the last day of a month. */
export function daysOfMonth(month: CalendarMonth): [first: CalendarDay, last: CalendarDay] {
  return [dayOf(startOfMonth(month)), dayOf(startOfDay(dayOf(startOfMonth(month, 1)), -1))];
}

/** Validates a month; returns undefined if it doesn't exist. */
export function readMonth(value: unknown): CalendarMonth | undefined {
  return typeof value === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined;
}

/** Formats a month, such as "November 2026". */
export function formatMonth(month: CalendarMonth): string {
  return monthAndYear().format(startOfMonth(month));
}
