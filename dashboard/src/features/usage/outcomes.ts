import type { UsageReport } from '../../api/schema.js';
import { formatCompact, formatCount } from '../../lib/format-numbers.js';
import { type Chart, failedKey } from './charts/series.js';

/** Formats the numbers of requests. */
export const outcomeMeasure = { kind: 'count' as const, format: formatCount, formatOnAxis: formatCompact };

/** Splits the requests of an ungrouped report into successful, failed and rejected ones. */
export function toOutcomeChart({ groups }: Pick<UsageReport, 'groups'>): Chart {
  const points = groups[0]?.points ?? [];
  const failed = points.map(({ failures }) => failures);
  const rejected = points.map(({ limited }) => limited);
  const succeeded = points.map(({ requests, failures }) => requests - failures);
  return {
    title: 'Requests',
    starts: points.map(({ start }) => start),
    addsUp: true,
    series: [
      { key: 'series-1', label: 'Succeeded', values: succeeded, total: sum(succeeded) },
      { key: failedKey, label: 'Failed', values: failed, total: sum(failed) },
      { key: 'series-2', label: 'Rejected by a limit', values: rejected, total: sum(rejected) },
    ],
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
