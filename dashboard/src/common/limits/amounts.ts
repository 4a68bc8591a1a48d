import type { Metric } from '@rules/limit-rules.js';
import { formatCost, formatCount, formatExactCost, pluralize } from '../../lib/format-numbers.js';
import { readAmount, toBillionths, toDecimal } from '../../lib/money.js';

/** A decimal for costs, an integer for everything else. */
export type Amount = number | string;

/** The amount in units that can be calculated with exactly: billionths of the currency, or whole requests, tokens or pages. */
export function toUnits(metric: Metric, amount: Amount): bigint {
  return metric === 'cost' ? toBillionths(String(amount)) : BigInt(amount);
}

/** The same of an amount in a form; undefined while it's empty or invalid. */
export function readUnits(metric: Metric, entered: number | string): bigint | undefined {
  const amount = metric === 'cost' ? readAmount(String(entered)) : entered;
  const isComplete = amount !== undefined && amount !== '' && (metric === 'cost' || Number.isInteger(Number(amount)));
  return isComplete ? toUnits(metric, amount) : undefined;
}

export function fromUnits(metric: Metric, units: bigint): Amount {
  return metric === 'cost' ? toDecimal(units) : Number(units);
}

/** Such as "1,200" or "$12.50". */
export function formatAmount(metric: Metric, amount: Amount, currency: string | undefined): string {
  return metric === 'cost' ? formatCost(Number(amount), currency) : formatCount(Number(amount));
}

/** Such as "1,200 tokens", "10 concurrent requests" or "$12.50". Costs have all of their decimals. */
export function nameAmount(metric: Metric, amount: Amount, currency: string | undefined): string {
  if (metric === 'cost') return formatExactCost(String(amount), currency);
  return pluralize(Number(amount), metric === 'concurrency' ? 'concurrent request' : metric.slice(0, -1));
}
