import type { UsageReport } from '../../api/schema.js';
import { formatCompact, formatCount } from '../../lib/format-numbers.js';
import type { Chart } from './charts/series.js';

/** How the numbers of requests are written. */
export const outcomeMeasure = { isCount: true, format: formatCount, formatOnAxis: formatCompact };

/** The requests of everything in a report, those that failed apart from the others. */
export function toOutcomeChart({ groups }: Pick<UsageReport, 'groups'>): Chart {
  const points = groups[0]?.points ?? [];
  const failed = points.map(({ failures }) => failures);
  const answered = points.map(({ requests, failures }) => requests - failures);
  return {
    title: 'Requests',
    starts: points.map(({ start }) => start),
    series: [
      { key: 'series-1', label: 'Answered', values: answered, total: sum(answered) },
      { key: 'series-failed', label: 'Failed', values: failed, total: sum(failed) },
    ],
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
