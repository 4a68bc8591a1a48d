import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { axisTicks, tickCount } from './axis-ticks.js';
import { isHourOfDays, shortStart, type Steps } from './format-interval.js';
import type { CalendarDay } from '../../../lib/calendar-day.js';
import type { Measure } from '../measures.js';
import classes from './Charts.module.css';
import { dayOfStart } from './open-day.js';
import type { Chart } from './series.js';
import { SeriesTooltip } from './SeriesTooltip.js';
import { useOpenedInterval } from './use-opened-interval.js';

/** Leaves room for the top half of the highest label. */
const margin = { top: 10, right: 5, bottom: 5, left: 0 };
/** Leaves room for half of the last label, such as "12:00 PM" or "Nov 21, 12:00 PM". */
const axisPadding = { left: 8, right: 28 };
const axisPaddingForDays = { left: 8, right: 48 };

interface SeriesChartProps {
  chart: Chart;
  steps: Steps;
  measure: Pick<Measure, 'kind' | 'format' | 'formatOnAxis' | 'currency'>;
  heightPixels: number;
  /** Called with the day that was clicked, or tapped twice. Without it, clicks do nothing. */
  onOpenDay?: ((day: CalendarDay) => void) | undefined;
}

/** Stacked bars for counts and costs, lines for what doesn't add up, such as times. */
export function SeriesChart({ chart, steps, measure, heightPixels, onOpenDay }: SeriesChartProps) {
  const { starts, series, addsUp } = chart;
  const opening = useOpenedInterval(onOpenDay && ((start) => onOpenDay(dayOfStart(start, steps))));
  const allowDecimals = measure.kind !== 'count';
  const ticks = axisTicks(chart, allowDecimals);
  const chartProps = { margin, ...opening.chartProps };
  const common = {
    ...opening.rootProps,
    h: heightPixels,
    className: onOpenDay && classes.openable,
    data: starts.map((start, index) => ({
      start,
      ...Object.fromEntries(series.map(({ key, values }) => [key, values[index] ?? null])),
    })),
    dataKey: 'start',
    series: series.map(({ key, label }) => ({ name: key, label, color: `var(--${key})` })),
    xAxisProps: {
      tickFormatter: (start: string) => shortStart(start, steps, starts.length),
      minTickGap: 24,
      // The last day is the most recent one, so it always has a label.
      interval: 'equidistantPreserveEnd' as const,
      padding: isHourOfDays(steps.interval, starts.length) ? axisPaddingForDays : axisPadding,
    },
    yAxisProps: {
      tickFormatter: (value: number) => measure.formatOnAxis(value, ticks),
      tickCount,
      allowDecimals,
      width: 72,
      // Otherwise, low charts have labels without a grid line.
      interval: 0 as const,
    },
    tooltipProps: {
      ...opening.tooltipProps,
      content: ({ label }: { label?: unknown }) => (
        <SeriesTooltip {...{ chart, steps, measure }} start={label} opensDays={onOpenDay !== undefined} />
      ),
    },
    // Keyboard and screen reader users have the table.
    accessibilityLayer: false,
  };
  if (addsUp) {
    return <BarChart {...common} barChartProps={chartProps} type="stacked" maxBarWidth={40} />;
  }
  return (
    <LineChart
      {...common}
      lineChartProps={chartProps}
      connectNulls={false}
      curveType="linear"
      dotProps={{ r: 3 }}
      activeDotProps={{ r: 5 }}
    />
  );
}
