import type { UsageTotals } from '../../api/schema.js';
import { isShown, shownMeters } from './meters.js';
import { failedKey } from './charts/series.js';
import { formatCompact, formatCount, formatLatency, formatMilliseconds } from '../../lib/format-numbers.js';

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
  unit?: 'ms';
  /** Whether to show the chart; always by default. */
  isShown?: (totals: UsageTotals) => boolean;
  /** Shown instead of an empty chart. */
  emptyText: string;
  /** Counts are stacked; latencies don't add up. */
  isCount: boolean;
  read: ReadMeasure;
  /** The series while usage isn't grouped: by default one with the title of the chart. `key` decides its color. */
  ungrouped?: { label: string; key?: string; read: ReadMeasure }[];
  format: (value: number) => string;
  formatOnAxis: (value: number) => string;
}

const counts = { isCount: true, format: formatCount, formatOnAxis: formatCompact };

/** The charts of the usage page, in order. */
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
    isCount: false,
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
