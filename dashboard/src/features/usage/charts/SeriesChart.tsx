import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { type Interval, longStart, shortStart } from './format-interval.js';
import type { Measure } from '../measures.js';
import type { Chart } from './series.js';

/** Leaves room for the half of the topmost label that is above its line. */
const margin = { top: 10, right: 5, bottom: 5, left: 0 };

interface SeriesChartProps {
  chart: Chart;
  interval: Interval;
  measure: Pick<Measure, 'isCount' | 'format' | 'formatOnAxis'>;
  height: number;
}

/** A picture of numbers: stacked bars of what adds up, lines of what does not. */
export function SeriesChart({ chart, interval, measure, height }: SeriesChartProps) {
  const { starts, series } = chart;
  const common = {
    h: height,
    data: starts.map((start, index) => ({
      start,
      ...Object.fromEntries(series.map(({ key, values }) => [key, values[index] ?? null])),
    })),
    dataKey: 'start',
    series: series.map(({ key, label }) => ({ name: key, label, color: `var(--${key})` })),
    valueFormatter: measure.format,
    xAxisProps: { tickFormatter: (start: string) => shortStart(start, interval), minTickGap: 24 },
    yAxisProps: { tickFormatter: measure.formatOnAxis, allowDecimals: !measure.isCount, width: 64 },
    // Asked also while no bar is pointed at, without a start then.
    tooltipProps: { labelFormatter: (start: unknown) => (typeof start === 'string' ? longStart(start, interval) : '') },
    // The table of the same numbers is what keyboards and screen readers have.
    accessibilityLayer: false,
  };
  if (measure.isCount) return <BarChart {...common} barChartProps={{ margin }} type="stacked" maxBarWidth={40} />;
  return (
    <LineChart
      {...common}
      lineChartProps={{ margin }}
      connectNulls={false}
      curveType="linear"
      dotProps={{ r: 3 }}
      activeDotProps={{ r: 5 }}
    />
  );
}
