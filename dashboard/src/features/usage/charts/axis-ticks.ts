import { getNiceTickValues } from 'recharts';
import type { Chart } from './series.js';

/** How many labels an axis has, at most. */
export const tickCount = 5;

/** The values that the library's axis from 0 labels, which have to be known to give all labels the same decimals. */
export function axisTicks({ starts, series, addsUp }: Chart, allowDecimals: boolean): number[] {
  const heights = starts.map((_start, index) => {
    const values = series.map(({ values }) => values[index] ?? 0);
    return addsUp ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values);
  });
  return getNiceTickValues([0, Math.max(0, ...heights)], tickCount, allowDecimals);
}
