import type { LimitState, UsageReport, UsageTotals } from '../../api/schema.js';
import { describeExcess, describeRejection, describeUsedUp, forecastMonth } from '../../common/limits/month-cost.js';
import type { CalendarMonth } from '../../lib/calendar-month.js';
import { formatCostFigure } from '../../lib/format-numbers.js';
import { startOfMonthIn } from '../../lib/time-zone.js';
import { isFiltered, type UsageFilter } from './search.js';
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

/**
 * Describes what the cost leaves out, and what the current month will cost or, if its budget is used up, until when requests
 * are rejected. Filtered usage has a forecast only with a budget.
 */
export function describeCost(
  { totals, byModel, period, currency }: Costs,
  filter: UsageFilter,
  budget: MonthBudget | undefined,
): (string | undefined)[] {
  const { month, timeZone, to } = period;
  const unpriced = describeUnpriced(totals, byModel);
  if (budget !== undefined && describeUsedUp(totals.cost, budget.limit, currency) !== undefined) {
    return [unpriced, describeRejection(budget.limit, timeZone)];
  }
  if (month === undefined || (isFiltered(filter) && budget === undefined)) return [unpriced];
  const span = {
    start: Math.max(startOfMonthIn(timeZone, month).getTime(), budget?.since ?? 0),
    end: startOfMonthIn(timeZone, month, 1).getTime(),
  };
  const isRunning = to.getTime() < span.end;
  const forecast = isRunning ? forecastMonth(totals.cost, span, to.getTime()) : undefined;
  if (forecast === undefined) return [unpriced];
  const excess = budget && describeExcess(forecast, budget.limit, span, currency);
  const cost = formatCostFigure(Number(forecast), currency);
  return [unpriced, `Forecast: ${cost}${excess === undefined ? '' : `, ${excess}`}`];
}
