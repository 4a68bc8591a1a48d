import type { UsageTotals } from '../../api/schema.js';
import { describeFactor } from '../../common/usage/describe-change.js';
import { formatPercentChange } from '../../lib/format-numbers.js';
import type { Measure } from './measures.js';

/** How much an amount changed since the period before. */
export interface Change {
  /** Such as "+1,200". */
  difference: string;
  /** Such as "+12.5%" or "New". */
  note?: string;
}

/**
 * Compares a measure of two periods; undefined if it can't be compared.
 *
 * @param format formats amounts of the measure
 */
export function compareTotals(
  { kind, read }: Pick<Measure, 'kind' | 'read'>,
  totals: UsageTotals,
  previousTotals: UsageTotals | undefined,
  format: (amount: number) => string,
): Change | undefined {
  if (previousTotals === undefined) return undefined;
  const [current, previous] = [read(totals), read(previousTotals)];
  const isNew = previousTotals.requests + previousTotals.limited === 0;
  // A time of no requests isn't 0, and neither is a cost without prices.
  if (kind === 'latency' ? current === null || previous === null : current === null && previous === null) {
    return isNew ? { difference: '–', note: 'New' } : undefined;
  }
  const [now, before] = [current ?? 0, previous ?? 0];
  const note = isNew ? 'New' : describeRatio(now, before);
  return { difference: formatDifference(now - before, format), ...(note !== undefined && { note }) };
}

function formatDifference(difference: number, format: (amount: number) => string): string {
  if (difference === 0) return format(0);
  const amount = format(Math.abs(difference));
  if (amount.startsWith('<')) return `${amount} ${difference > 0 ? 'more' : 'less'}`;
  return `${difference > 0 ? '+' : '−'}${amount}`;
}

/** Such as "+12.5%" or "4.2 times"; undefined for no change, and for any change from 0. */
function describeRatio(current: number, previous: number): string | undefined {
  if (previous === 0 || current === previous) return undefined;
  return describeFactor(current, previous) ?? formatPercentChange(current, previous);
}
