import { costFormatter } from '../../../lib/format-numbers.js';
import type { Measure } from '../measures.js';
import type { Chart } from './series.js';

/** The values and sums of all series, apart from missing ones. */
export function valuesOf({ series }: Pick<Chart, 'series'>): number[] {
  return series.flatMap(({ values, total }) => [...values, total]).filter((value) => value !== null);
}

/** Returns the format of a chart's values. Its table and tooltips share it, so that they show the same amounts. */
export function valueFormat(
  chart: Pick<Chart, 'series'>,
  { format, currency }: Pick<Measure, 'format' | 'currency'>,
): (value: number) => string {
  return currency === undefined ? format : costFormatter(valuesOf(chart), currency);
}
