import type { TimeSpan } from '@rules/forecast.js';
import type { LimitState } from '../../api/schema.js';
import { formatCostFigure, formatExactCost } from '../../lib/format-numbers.js';
import { locale } from '../../lib/locale.js';
import { toBillionths, toDecimal } from '../../lib/money.js';
import { toUnits } from './amounts.js';
import { isMonthlyBudget } from './monthly-forecast.js';
import { currentMax, levelOf, maxAt } from './limit-level.js';

/** A cent, in billionths. Smaller differences aren't shown. */
const leastDifference = 10_000_000;

/** The organization's budget of costs per month for all models, which the forecast is compared with. */
export function monthlyBudget(limits: readonly LimitState[]): LimitState | undefined {
  return limits.find(isMonthlyBudget);
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

/**
 * Says why a budget counts another amount than the month has cost, such as "The budget counts $12.50: …"; undefined if both
 * are about the same. Usage and budgets are read one after the other, so smaller differences are of requests in between.
 *
 * @param leastShare the least share of the larger amount that is a difference
 */
export function explainDifference(
  cost: string | null,
  budget: LimitState,
  currency: string,
  leastShare = 0.001,
): string | undefined {
  const [spent, counted] = [toBillionths(cost ?? '0'), toUnits('cost', budget.used) - toUnits('cost', budget.reserved)];
  const difference = Math.abs(Number(spent - counted));
  const isSmall = difference < leastDifference || difference < leastShare * Math.max(Number(spent), Number(counted));
  if (isSmall) return undefined;
  const amount = formatCostFigure(Number(toDecimal(counted)), currency);
  return `The budget counts ${amount}: its month may have begun before a change of the time zone.`;
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

/** Exactly, as it was entered. */
const formatUnits = (units: bigint, currency: string) => formatExactCost(toDecimal(units), currency);

/** Such as "November". */
export function nameMonth({ start }: TimeSpan, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone }).format(start);
}
