import type { Metric } from '@rules/limit-rules.js';
import { meters } from '@rules/meters.js';
import type { UsageTotals } from '../../api/schema.js';
import { toBillionths } from '../../lib/money.js';

/** What counts toward a metric, in the units of `toUnits`. */
export function usedUnits(metric: Metric, totals: UsageTotals | undefined): bigint {
  if (totals === undefined || metric === 'concurrency') return 0n;
  if (metric === 'cost') return toBillionths(totals.cost ?? '0');
  if (metric === 'requests') return BigInt(totals.requests);
  const counted = meters.filter(({ limit }) => limit === metric);
  return counted.reduce((sum, { name }) => sum + BigInt(totals[name]), 0n);
}
