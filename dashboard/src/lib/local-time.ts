import { type CalendarDay, readDay, startOfDay } from './calendar-day.js';

/** A day in the user's time zone, or a minute of it, such as "2026-01-31" or "2026-01-31T09:30". */
export type LocalTime = string;

const minuteMilliseconds = 60_000;

/** Validates a day or a minute; returns undefined if it doesn't exist. */
export function readLocalTime(value: unknown): LocalTime | undefined {
  if (typeof value !== 'string') return undefined;
  if (dayOfTime(value) === undefined) return undefined;
  return value.length === 10 || /^T([01]\d|2[0-3]):[0-5]\d$/.test(value.slice(10)) ? value : undefined;
}

/** The day of a local time. */
export function dayOfTime(time: LocalTime | undefined): CalendarDay | undefined {
  return readDay(time?.slice(0, 10));
}

/** The value of a `time` field: the minute of the day, or nothing for the whole day. */
export function clockOf(time: LocalTime | undefined): string {
  return time?.slice(11) ?? '';
}

/** Joins a day and the value of a `time` field. */
export function atClock(day: CalendarDay, clock: string): LocalTime {
  return clock === '' ? day : `${day}T${clock}`;
}

/** When a day or minute begins. */
export function startOfTime(time: LocalTime): Date {
  return time.length === 10 ? startOfDay(time) : new Date(time);
}

/** When a day or minute is over. */
export function endOfTime(time: LocalTime): Date {
  return time.length === 10 ? startOfDay(time, 1) : new Date(Date.parse(time) + minuteMilliseconds);
}
