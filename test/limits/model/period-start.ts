import type { BudgetPeriod } from '../../../src/common/rules/limit-rules.js';

/** Clocks change by whole quarters of an hour. */
const quarter = 900_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const dayStarts = new Map<string, number>();

/**
 * The first instant of the local day, week or month. Walks back until the date changes, so that it depends on no rules
 * about when clocks change.
 */
export function periodStart(now: number, per: BudgetPeriod, timeZone: string): number {
  const isFirstDay = (at: number) => {
    if (per === 'day') return true;
    const date = dateOf(at, timeZone);
    return per === 'month' ? date.endsWith('-01') : new Date(date).getUTCDay() === 1;
  };
  let start = dayStart(now, timeZone);
  while (!isFirstDay(start)) start = dayStart(start - quarter, timeZone);
  return start;
}

function dayStart(now: number, timeZone: string): number {
  let start = Math.floor(now / quarter) * quarter;
  const name = `${timeZone} ${start}`;
  const date = dateOf(start, timeZone);
  const known = dayStarts.get(name);
  if (known !== undefined) return known;
  while (dateOf(start - quarter, timeZone) === date) start -= quarter;
  dayStarts.set(name, start);
  return start;
}

/** Such as `2026-11-01`. */
function dateOf(at: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  formats.set(timeZone, format);
  return format.format(at);
}
