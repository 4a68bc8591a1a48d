import type { LimitState, UsageReport, UsageTotals } from '../../api/schema.js';
import { describeExcess, describeRejection, describeUsedUp } from '../../common/limits/month-cost.js';
import type { CalendarMonth } from '../../lib/calendar-month.js';
import { formatCostFigure } from '../../lib/format-numbers.js';
import { toBillionths, toDecimal } from '../../lib/money.js';
import { startOfMonthIn } from '../../lib/time-zone.js';
import { describeUnpriced } from './unpriced-requests.js';

interface Costs {
  totals: UsageTotals;
  byModel: Pick<UsageReport, 'groups'>;
  currency: string;
  period: { month?: CalendarMonth | undefined; timeZone: string; to: Date };
}

/** A budget per month, and what it's for. */
export interface MonthBudget {
  limit: LimitState;
  /** When the key was created, before which it couldn't use anything; milliseconds since 1970, 0 for the organization. */
  since: number;
}

/** Whether the page forecasts the cost of the current month, unless the budget is used up. */
export function hasForecast(
  { period: { month, timeZone, to }, totals, currency }: Omit<Costs, 'byModel'>,
  budget?: MonthBudget,
): boolean {
  if (month === undefined) return false;
  const isUsedUp = budget !== undefined && describeUsedUp(totals.cost, budget.limit, currency) !== undefined;
  return !isUsedUp && to < startOfMonthIn(timeZone, month, 1);
}

/**
 * Describes what the cost leaves out, and what the current month will cost or, if its budget is used up, until when requests
 * are rejected.
 *
 * @param rest what the rest of the month will probably cost, in billionths; undefined if it isn't known
 */
export function describeCost(
  costs: Costs,
  budget: MonthBudget | undefined,
  rest: bigint | undefined,
): (string | undefined)[] {
  const { totals, byModel, period, currency } = costs;
  const { month, timeZone } = period;
  const unpriced = describeUnpriced(totals, byModel);
  if (budget !== undefined && describeUsedUp(totals.cost, budget.limit, currency) !== undefined) {
    return [unpriced, describeRejection(budget.limit, timeZone)];
  }
  if (rest === undefined || month === undefined || !hasForecast(costs, budget)) return [unpriced];
  const forecast = toDecimal(toBillionths(totals.cost ?? '0') + rest);
  const span = { start: startOfMonthIn(timeZone, month).getTime(), end: startOfMonthIn(timeZone, month, 1).getTime() };
  const excess = budget && describeExcess(forecast, budget.limit, span, currency);
  const cost = formatCostFigure(Number(forecast), currency);
  return [unpriced, `Forecast: ${cost}${excess === undefined ? '' : `, ${excess}`}`];
}
