import type { UsageTotals } from '../../api/schema.js';
import { isShown, shownMeters } from './meters.js';
import { failedKey } from './charts/series.js';
import {
  formatCompact,
  formatCost,
  formatCostOnAxis,
  formatCount,
  formatLatency,
  formatMilliseconds,
} from '../../lib/format-numbers.js';
import { costOf } from './usage-totals.js';

/** Reads the value of a group or interval; null if nothing was measured. */
export type ReadMeasure = (totals: UsageTotals) => number | null;

/** A measure of usage, shown in a chart. */
export interface Measure {
  /** Part of the CSV file name, unless usage is grouped and `groupedKey` is set. */
  key: string;
  title: string;
  groupedKey?: 'latency-p95';
  /** The title while usage is grouped, if it differs. */
  groupedTitle?: string;
  /** The unit of `read`, for the CSV file. */
  unit?: string;
  /** Whether to show the chart; always by default. */
  isShown?: (totals: UsageTotals) => boolean;
  /** Shown instead of an empty chart. */
  emptyText: string;
  /** Counts and costs are stacked; latencies don't add up. */
  kind: 'count' | 'cost' | 'latency';
  read: ReadMeasure;
  /** The exact value for the CSV file, if a number can't hold it. */
  readExact?: (totals: UsageTotals) => string | null;
  /** The series while usage isn't grouped: by default one with the title of the chart. `key` decides its color. */
  ungrouped?: { label: string; key?: string; read: ReadMeasure }[];
  format: (value: number) => string;
  formatOnAxis: (value: number) => string;
}

const counts = { kind: 'count' as const, format: formatCount, formatOnAxis: formatCompact };

/** The charts of the usage page that have no currency, in order. */
export const measures: Measure[] = [
  { key: 'requests', title: 'Requests', emptyText: 'No requests', read: ({ requests }) => requests, ...counts },
  {
    key: 'failures',
    title: 'Failed or rejected by a limit',
    emptyText: 'No failures among the requests that count as usage',
    read: ({ failures, limited }) => failures + limited,
    ungrouped: [
      { label: 'Failed', key: failedKey, read: ({ failures }) => failures },
      { label: 'Rejected by a limit', read: ({ limited }) => limited },
    ],
    ...counts,
  },
  ...shownMeters.map((meter) => ({
    key: meter.column.replaceAll('_', '-'),
    title: meter.title,
    emptyText: `No ${meter.unit}s`,
    isShown: (totals: UsageTotals) => isShown(meter, totals),
    read: (totals: UsageTotals) => totals[meter.name],
    ...counts,
  })),
  {
    key: 'latency',
    title: 'Latency',
    groupedKey: 'latency-p95',
    groupedTitle: 'Latency, 95th percentile',
    unit: 'ms',
    emptyText: 'No requests',
    kind: 'latency',
    read: ({ p95Milliseconds }) => p95Milliseconds,
    ungrouped: [
      { label: 'Median', read: ({ medianMilliseconds }) => medianMilliseconds },
      { label: '95th percentile', read: ({ p95Milliseconds }) => p95Milliseconds },
      { label: '99th percentile', read: ({ p99Milliseconds }) => p99Milliseconds },
    ],
    format: formatLatency,
    formatOnAxis: formatMilliseconds,
  },
];

/** All charts of the usage page, in order. Costs are shown where a model has a price. */
export function measuresWithCost(currency: string): Measure[] {
  const cost: Measure = {
    key: 'cost',
    title: 'Cost',
    unit: currency,
    emptyText: 'No cost',
    kind: 'cost',
    isShown: (totals) => totals.cost !== null,
    read: costOf,
    readExact: ({ cost: exact }) => exact,
    format: (amount) => formatCost(amount, currency),
    formatOnAxis: (amount) => formatCostOnAxis(amount, currency),
  };
  return [...measures.slice(0, 1), cost, ...measures.slice(1)];
}
