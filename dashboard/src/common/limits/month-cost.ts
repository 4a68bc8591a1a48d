import type { LimitState } from '../../api/schema.js';
import { currentMax, levelOf, maxAt } from './limit-level.js';
import { forecast, type TimeSpan } from '../../lib/forecast.js';
import { formatCost } from '../../lib/format-numbers.js';
import { locale } from '../../lib/locale.js';
import { toBillionths, toDecimal } from '../../lib/money.js';

/** The organization's budget of costs per month for all models, which the forecast is compared with. */
export function monthlyBudget(limits: readonly LimitState[]): LimitState | undefined {
  return limits.find(({ metric, per, models }) => metric === 'cost' && per === 'month' && models === undefined);
}

/** The decimal that the month will cost at its current pace; undefined while `forecast` is. */
export function forecastMonth(cost: string | null, month: TimeSpan, now: number): string | undefined {
  const units = cost === null ? undefined : forecast(toBillionths(cost), month, now);
  return units === undefined ? undefined : toDecimal(units);
}

/**
 * Describes a budget that a forecast exceeds, such as "over the budget of $25.00"; undefined for others. Counts an increase
 * only if it still applies at the end of the month.
 */
export function describeExcess(
  forecasted: string,
  budget: LimitState,
  { end }: TimeSpan,
  currency: string,
): string | undefined {
  const max = maxAt(budget, end);
  if (toBillionths(forecasted) <= max) return undefined;
  const after = max === currentMax(budget) ? '' : ' after the increase ends';
  return `over the budget of ${formatUnits(max, currency)}${after}`;
}

/** Whether the cost of the current month already exceeds a budget, with an increase that applies now. */
function isOverBudget(cost: string | null, budget: LimitState): boolean {
  return cost !== null && toBillionths(cost) > currentMax(budget);
}

/** Describes a budget that is used up, such as "Over the budget of $25.00"; undefined for others. */
export function describeUsedUp(cost: string | null, budget: LimitState, currency: string): string | undefined {
  const amount = formatBudget(budget, currency);
  if (isOverBudget(cost, budget)) return `Over the budget of ${amount}`;
  return levelOf(budget) === 'full' ? `Budget of ${amount} used up` : undefined;
}

/** Such as "Requests are rejected until 1 December"; undefined unless the budget rejects requests. */
export function describeRejection(budget: LimitState, timeZone: string): string | undefined {
  if (levelOf(budget) !== 'full' || budget.resetsAt === null) return undefined;
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone });
  // Narrow tiles don't break the date.
  const date = day.format(Date.parse(budget.resetsAt)).replaceAll(' ', '\u00a0');
  return `Requests are rejected until ${date}`;
}

/** What a budget allows now, including a temporary increase, such as "$25.00". */
export function formatBudget(budget: LimitState, currency: string): string {
  return formatUnits(currentMax(budget), currency);
}

const formatUnits = (units: bigint, currency: string) => formatCost(Number(toDecimal(units)), currency);

/** Such as "November". */
export function nameMonth({ start }: TimeSpan, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone }).format(start);
}
