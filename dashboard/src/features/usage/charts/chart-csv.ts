import { csvLine } from '@rules/csv-line.js';
import { dayOf } from '../../../lib/calendar-day.js';
import { type Interval, isoStart } from './format-interval.js';
import type { Chart } from './series.js';

/**
 * Formats the numbers of a chart as CSV: a row for each interval, a column for each series.
 *
 * @param unit part of the column names, such as "ms" or "USD"
 */
export function toChartCsv({ starts, series }: Chart, interval: Interval, unit?: string): string {
  const header = ['start', ...series.map(({ label }) => (unit === undefined ? label : `${label} (${unit})`))];
  const lines = starts.map((start, index) => [
    isoStart(start, interval),
    ...series.map(({ values, exact = values }) => toCell(exact[index])),
  ]);
  return [header, ...lines].map(csvLine).join('');
}

function toCell(value: number | string | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Returns the CSV file name, with the measure, the grouping and the days. */
export function chartFileName({ name, starts }: Chart): string {
  const days = [starts[0], starts.at(-1)].flatMap((start) => (start === undefined ? [] : dayOf(new Date(start))));
  return `usage-${[name, ...new Set(days)].join('-')}.csv`;
}
