import { lazily } from '../../../lib/lazily.js';
import { dayOf } from '../../../lib/calendar-day.js';
import { locale } from '../../../lib/locale.js';

/** The length of the steps of a chart. */
export type Interval = 'hour' | 'day';

const shortDay = lazily(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }));
const longDay = lazily(
  () => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
);
const weekday = lazily(() => new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }));
const hourOfDay = lazily(
  () =>
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }),
);
const hour = lazily(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }));

/** Hours in a day on which the clock is set back. */
const maxHoursOfDay = 25;

/** Whether an axis of `count` intervals has the hours of several days. */
export function isHourOfDays(interval: Interval, count: number): boolean {
  return interval === 'hour' && count > maxHoursOfDay;
}

/**
 * Formats a start for an axis, such as "21 Nov" or "14:00". The first hour of a day shows the day, and each hour does if
 * the axis has times of several days.
 *
 * @param count intervals on the axis
 */
export function shortStart(start: string, interval: Interval, count: number): string {
  const moment = new Date(start);
  if (isHourOfDays(interval, count)) return hourOfDay().format(moment);
  return interval === 'day' || moment.getHours() === 0 ? shortDay().format(moment) : hour().format(moment);
}

/** Formats the start with its weekday, such as "Sat, 21 Nov 2026" or "Sat 21 Nov, 14:00". */
export function longStart(start: string, interval: Interval): string {
  const moment = new Date(start);
  return interval === 'day' ? longDay().format(moment) : `${weekday().format(moment)}, ${hour().format(moment)}`;
}

/** Formats the start for spreadsheets, such as "2026-11-21" or "2026-11-21T14:00+01:00". */
export function isoStart(start: string, interval: Interval): string {
  const moment = new Date(start);
  if (interval === 'day') return dayOf(moment);
  const offset = -moment.getTimezoneOffset();
  const sign = offset < 0 ? '-' : '+';
  const distance = Math.abs(offset);
  return `${dayOf(moment)}T${clock(moment.getHours(), moment.getMinutes())}${sign}${clock(Math.floor(distance / 60), distance % 60)}`;
}

function clock(hours: number, minutes: number): string {
  return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
}
