import type { UsageReport, UsageTotals } from '../../api/schema.js';
import { formatCount, formatShare, pluralize } from '../../lib/format-numbers.js';
import { type Chart, failedKey } from './charts/series.js';
import { type Measure, usedMeasures } from './measures.js';

/** The measures of a section about usage: the cost, unless nothing has a price, and requests with their outcomes. */
export function sectionMeasures(totals: UsageTotals, currency: string): Measure[] {
  return usedMeasures(totals, currency).flatMap((measure) => {
    if (measure.key === 'cost') return measure;
    return measure.key === 'requests' ? { ...measure, note: describeFailures } : [];
  });
}

/** Such as "1,200 requests, 4 failed (0.3%)". */
export function describeOutcomes(totals: UsageTotals): string {
  return `${pluralize(totals.requests, 'request')}, ${describeFailures(totals)}`;
}

/** Such as "4 failed (0.3%), plus 2 rejected by a limit". */
function describeFailures({ requests, failures, limited }: UsageTotals): string {
  const failed = `${formatCount(failures)} failed (${formatShare(failures, requests)})`;
  return limited === 0 ? failed : `${failed}, plus ${formatCount(limited)} rejected by a limit`;
}

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
