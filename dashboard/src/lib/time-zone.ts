import type { CalendarDay } from './calendar-day.js';
import type { CalendarMonth } from './calendar-month.js';
import type { TimeSpan } from '@rules/forecast.js';

const minuteMilliseconds = 60_000;

/** The user's time zone. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The format of a time zone. Kept, because a chart has many times. */
function clockFormat(timeZone: string): Intl.DateTimeFormat {
  const format =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  clocks.set(timeZone, format);
  return format;
}

/** What a clock in the time zone shows, as if it were UTC, in milliseconds since 1970 and whole seconds. */
export function clockOf(timeZone: string, at: number): number {
  const parts = Object.fromEntries(
    clockFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** How far the time zone is ahead of UTC at a time, in milliseconds. */
export function offsetOf(timeZone: string, at: number): number {
  return clockOf(timeZone, at) - Math.floor(at / 1000) * 1000;
}

/** Formats an offset, such as "UTC+05:30" or "UTC−03:00". */
export function formatOffset(milliseconds: number): string {
  const minutes = Math.abs(Math.round(milliseconds / minuteMilliseconds));
  const parts = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `UTC${milliseconds < 0 ? '−' : '+'}${parts.join(':')}`;
}

/** The calendar month in the time zone that has a time. */
export function monthAt(timeZone: string, at: number): TimeSpan {
  const clock = new Date(clockOf(timeZone, at));
  const startOf = (month: number) => toInstant(timeZone, Date.UTC(clock.getUTCFullYear(), month, 1));
  return { start: startOf(clock.getUTCMonth()), end: startOf(clock.getUTCMonth() + 1) };
}

/** The day in the time zone that has a time. */
export function dayAt(timeZone: string, at: Date): CalendarDay {
  return new Date(clockOf(timeZone, at.getTime())).toISOString().slice(0, 10);
}

/** When a day begins in the time zone, optionally some days later. */
export function startOfDayIn(timeZone: string, day: CalendarDay, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(toInstant(timeZone, Date.UTC(year, month - 1, date + daysLater)));
}

/** When a month begins in the time zone, optionally some months later. */
export function startOfMonthIn(timeZone: string, month: CalendarMonth, monthsLater = 0): Date {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(toInstant(timeZone, Date.UTC(year, number - 1 + monthsLater, 1)));
}

/** When clocks in the time zone show a time. The second offset is right if the clocks change in between. */
export function toInstant(timeZone: string, clock: number): number {
  const guess = clock - offsetOf(timeZone, clock);
  return clock - offsetOf(timeZone, guess);
}
