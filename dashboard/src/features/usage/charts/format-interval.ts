import { locale } from '../../../lib/locale.js';
import { clockOf, dayAt, offsetOf } from '../../../lib/time-zone.js';

/** The steps of a chart. */
export interface Steps {
  interval: 'hour' | 'day';
  /** IANA name. Days begin at midnight there. */
  timeZone: string;
}

interface Formats {
  shortDay: Intl.DateTimeFormat;
  longDay: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  hourOfDay: Intl.DateTimeFormat;
  hour: Intl.DateTimeFormat;
}

const formats = new Map<string, Formats>();

/** The formats of a time zone, created once. */
function formatsOf(timeZone: string): Formats {
  const found = formats.get(timeZone);
  if (found !== undefined) return found;
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const day = { day: 'numeric', month: 'short' } as const;
  const created = {
    shortDay: format(day),
    longDay: format({ weekday: 'short', year: 'numeric', ...day }),
    weekday: format({ weekday: 'short', ...day }),
    hourOfDay: format({ hour: 'numeric', minute: '2-digit', ...day }),
    hour: format({ timeStyle: 'short' }),
  };
  formats.set(timeZone, created);
  return created;
}

/** Hours in a day on which the clock is set back. */
const maxHoursOfDay = 25;

/** Whether an axis of `count` intervals has the hours of several days. */
export function isHourOfDays(interval: Steps['interval'], count: number): boolean {
  return interval === 'hour' && count > maxHoursOfDay;
}

/**
 * Formats a start for an axis, such as "21 Nov" or "14:00". The first hour of a day shows the day, and each hour does if
 * the axis has times of several days.
 *
 * @param count intervals on the axis
 */
export function shortStart(start: string, { interval, timeZone }: Steps, count: number): string {
  const moment = new Date(start);
  const { shortDay, hourOfDay, hour } = formatsOf(timeZone);
  if (isHourOfDays(interval, count)) return hourOfDay.format(moment);
  return interval === 'day' || clockIn(timeZone, moment).startsWith('00')
    ? shortDay.format(moment)
    : hour.format(moment);
}

/** Formats the start with its weekday, such as "Sat, 21 Nov 2026" or "Sat 21 Nov, 14:00". */
export function longStart(start: string, { interval, timeZone }: Steps): string {
  const moment = new Date(start);
  const { longDay, weekday, hour } = formatsOf(timeZone);
  return interval === 'day' ? longDay.format(moment) : `${weekday.format(moment)}, ${hour.format(moment)}`;
}

/** Formats the start for spreadsheets, such as "2026-11-21" or "2026-11-21T14:00+01:00". */
export function isoStart(start: string, { interval, timeZone }: Steps): string {
  const moment = new Date(start);
  const day = dayAt(timeZone, moment);
  if (interval === 'day') return day;
  const offset = offsetOf(timeZone, moment.getTime());
  const distance = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${day}T${clockIn(timeZone, moment)}${offset < 0 ? '-' : '+'}${distance}`;
}

/** Such as "14:00". */
function clockIn(timeZone: string, moment: Date): string {
  return new Date(clockOf(timeZone, moment.getTime())).toISOString().slice(11, 16);
}
