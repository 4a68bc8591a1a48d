import type { UsageTotals } from '../../api/schema.js';
import { formatCompact, formatCount, formatMilliseconds } from '../../lib/format-numbers.js';

/** One thing that usage is measured by, with a chart of its own. */
export interface Measure {
  /** Part of the name of a file. */
  key: 'requests' | 'failures' | 'input-tokens' | 'pages' | 'latency';
  title: string;
  /** What stands in place of a chart that would be empty. */
  emptyText: string;
  /** Counts add up, and are stacked; times do not. */
  isCount: boolean;
  /** What is shown of each group, or of everything; null where nothing was measured. */
  read: (totals: UsageTotals) => number | null;
  /** Names what is shown, where it is not the title. */
  readLabel?: string;
  /** What is shown beside it while nothing is grouped. */
  companion?: { label: string; read: (totals: UsageTotals) => number | null };
  format: (value: number) => string;
  formatOnAxis: (value: number) => string;
}

const counts = { isCount: true, format: formatCount, formatOnAxis: formatCompact };

/** What the page of usage shows, in this order. */
export const measures: Measure[] = [
  { key: 'requests', title: 'Requests', emptyText: 'No requests', read: ({ requests }) => requests, ...counts },
  { key: 'failures', title: 'Failures', emptyText: 'No failures', read: ({ failures }) => failures, ...counts },
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
    emptyText: 'Nothing to measure',
    isCount: false,
    read: ({ p95Milliseconds }) => p95Milliseconds,
    readLabel: '95th percentile',
    companion: { label: 'Average', read: ({ meanMilliseconds }) => meanMilliseconds },
    format: formatMilliseconds,
    formatOnAxis: formatMilliseconds,
  },
];
