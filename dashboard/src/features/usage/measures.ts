import type { UsageTotals } from '../../api/schema.js';
import { failedKey } from './charts/series.js';
import { formatCompact, formatCount, formatLatency, formatMilliseconds } from '../../lib/format-numbers.js';

/** A measure of usage, shown in a chart. */
export interface Measure {
  /** Part of the CSV file name. */
  key: 'requests' | 'failures' | 'input-tokens' | 'pages' | 'latency';
  title: string;
  /** The title while usage is grouped, and `companions` aren't shown. */
  groupedTitle?: string;
  /** Shown instead of an empty chart. */
  emptyText: string;
  /** Counts are stacked; latencies don't add up. */
  isCount: boolean;
  /** Reads the value of a group or interval; null if nothing was measured. */
  read: (totals: UsageTotals) => number | null;
  /** The label of the value, if it differs from the title. */
  readLabel?: string;
  /** The color of the value while usage isn't grouped; the first one by default. */
  seriesKey?: string;
  /** Further series, shown if usage isn't grouped. */
  companions?: { label: string; read: (totals: UsageTotals) => number | null }[];
  format: (value: number) => string;
  formatOnAxis: (value: number) => string;
}

const counts = { isCount: true, format: formatCount, formatOnAxis: formatCompact };

/** The charts of the usage page, in order. */
export const measures: Measure[] = [
  { key: 'requests', title: 'Requests', emptyText: 'No requests', read: ({ requests }) => requests, ...counts },
  {
    key: 'failures',
    title: 'Failed and rejected requests',
    groupedTitle: 'Failed requests',
    emptyText: 'No failed requests',
    read: ({ failures }) => failures,
    readLabel: 'Failed',
    seriesKey: failedKey,
    companions: [{ label: 'Rejected by a limit', read: ({ limited }) => limited }],
    ...counts,
  },
  {
    key: 'input-tokens',
    title: 'Input tokens',
    emptyText: 'No tokens',
    read: ({ inputTokens }) => inputTokens,
    ...counts,
  },
  { key: 'pages', title: 'Pages', emptyText: 'No pages', read: ({ pages }) => pages, ...counts },
  {
    key: 'latency',
    title: 'Latency',
    groupedTitle: 'Latency, 95th percentile',
    emptyText: 'No requests',
    isCount: false,
    read: ({ p95Milliseconds }) => p95Milliseconds,
    readLabel: '95th percentile',
    companions: [
      { label: 'Median', read: ({ medianMilliseconds }) => medianMilliseconds },
      { label: '99th percentile', read: ({ p99Milliseconds }) => p99Milliseconds },
    ],
    format: formatLatency,
    formatOnAxis: formatMilliseconds,
  },
];
