import type { UsageTotals } from '../../api/schema.js';
import { noAmounts } from './meters.js';

/** The cost as a number, to be drawn, rounded and compared; null if no request had a price. */
export function costOf({ cost }: Pick<UsageTotals, 'cost'>): number | null {
  return cost === null ? null : Number(cost);
}

/** Of several models: their times can't be combined. */
export const noTimes = {
  medianMilliseconds: null,
  p95Milliseconds: null,
  p99Milliseconds: null,
  firstTokenMilliseconds: null,
} as const;

/** The totals of a period without requests. */
export const noUsage: UsageTotals = {
  ...noAmounts,
  requests: 0,
  failures: 0,
  limited: 0,
  ...noTimes,
  cost: null,
  unpricedRequests: 0,
};
