import { type CalendarDay, countDays, startOfDay } from '../../lib/calendar-day.js';
import { type CalendarMonth, daysOfMonth, monthsBefore, startOfMonth } from '../../lib/calendar-month.js';
import { lazily } from '../../lib/lazily.js';
import { locale } from '../../lib/locale.js';
import { dayAt } from '../../lib/time-zone.js';

/** Of calendar dates, which are local here. */
const monthName = lazily(() => new Intl.DateTimeFormat(locale, { month: 'long' }));
const dayAndMonth = lazily(() => new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }));
const timeOfDay = lazily(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' }));

const dashWithoutBreak = '\u2060–\u2060';

/** The part of a month that is compared with the same part of the next one. */
interface PartOfMonth {
  /** Such as "October", or "1–21 Oct" for a part of it. */
  days: string;
  /** Such as "1–21 Oct until 14:30". */
  name: string;
}

/**
 * Names what a month is compared with: the month before, or the part of it until the same time.
 *
 * @param clock what a clock in the time zone shows while the month is running, as UTC
 */
export function namePreviousMonth(month: CalendarMonth, clock: Date | undefined): PartOfMonth {
  const before = monthsBefore(month, 1);
  if (clock === undefined || clock.getUTCDate() > countDays(...daysOfMonth(before))) {
    const name = monthName().format(startOfMonth(before));
    return { days: name, name };
  }
  const range = dayAndMonth().formatRange(startOfMonth(before), startOfDay(`${before}-01`, clock.getUTCDate() - 1));
  const days = range.replace(/\s*–\s*/u, dashWithoutBreak).replaceAll(' ', '\u00a0');
  return { days, name: `${days} until ${timeOfDay().format(clock)}` };
}

/** When usage and costs began, if only after the start of the previous period: ISO 8601, the start of a day. */
export interface PreviousStart {
  usage?: string | undefined;
  cost?: string | undefined;
}

/** Such as "data only from Sep 28", or "costs only from Sep 28" if these began later; undefined without a start. */
export function describeStart(
  isCost: boolean,
  { usage, cost }: PreviousStart,
  timeZone: string,
  preposition = 'only from',
): string | undefined {
  const start = isCost ? cost : usage;
  if (start === undefined) return undefined;
  const day = formatDayOfYear(dayAt(timeZone, new Date(start)));
  return `${isCost && cost !== usage ? 'costs' : 'data'} ${preposition} ${day}`;
}

/** Formats a day of about this year, such as "Sep 28". */
function formatDayOfYear(day: CalendarDay): string {
  return dayAndMonth().format(startOfDay(day)).replaceAll(' ', '\u00a0');
}
