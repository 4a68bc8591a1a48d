import { forecast, type TimeSpan } from './forecast.js';

/** Amounts of the current month and the days before, in the smallest unit. Days are those of a time zone, of any length. */
export interface MonthSoFar {
  /** In the month so far, including today. */
  used: bigint;
  /** Today so far. */
  today: bigint;
  /** On each day before today, the last one yesterday. May begin before the month. */
  earlier: readonly bigint[];
  /** How many days of the month follow today. */
  daysLeft: number;
}

const weekLength = 7;
/** How many days before today count: enough to even out a holiday, and few enough to follow a change. */
export const forecastDays = 4 * weekLength;

/**
 * Forecasts what a month will have used at its end: by weekday or, with less than a week of use, as if the month continued
 * like the part that has passed. Undefined if nothing is expected, or if it's too early to say.
 *
 * @param span the month, or the part of it in which something could be used
 * @param now milliseconds since 1970
 */
export function forecastMonth(month: MonthSoFar, span: TimeSpan, now: number): bigint | undefined {
  const byWeekday = forecastByWeekday(month);
  if (byWeekday === undefined) return forecast(month.used, span, now);
  return byWeekday > 0n ? byWeekday : undefined;
}

/**
 * Adds the average of its weekday in the last four weeks for each remaining day. Today counts with this average or, if more
 * is used already, with what is used: the part of it that has passed says little, because work isn't spread over the day.
 *
 * Weekdays need no calendar, as they repeat every seven days. Undefined if less than a week is known.
 */
export function forecastByWeekday({ used, today, earlier, daysLeft }: MonthSoFar): bigint | undefined {
  const days = daysOfUse(earlier);
  if (days.length < weekLength) return undefined;
  const expected = Array.from({ length: weekLength }, (_, daysAhead) => averageOf(days, daysAhead));
  const restOfToday = (expected[0] ?? 0n) - today;
  return Array.from({ length: daysLeft }, (_, index) => expected[(index + 1) % weekLength] ?? 0n).reduce(
    (sum, amount) => sum + amount,
    used + (restOfToday > 0n ? restOfToday : 0n),
  );
}

/**
 * The days that say what is usual. Days before the first use don't, and neither does the day of the first use, which may
 * have begun in the evening.
 */
function daysOfUse(earlier: readonly bigint[]): readonly bigint[] {
  const first = earlier.findIndex((amount) => amount > 0n);
  if (first === -1) return [];
  return earlier.slice(first === 0 ? 0 : first + 1).slice(-forecastDays);
}

/** The average of the weekday that is up to six days ahead of today. */
function averageOf(days: readonly bigint[], daysAhead: number): bigint {
  const same = days.filter((_, index) => (days.length + daysAhead - index) % weekLength === 0);
  return same.reduce((sum, amount) => sum + amount, 0n) / BigInt(Math.max(1, same.length));
}
