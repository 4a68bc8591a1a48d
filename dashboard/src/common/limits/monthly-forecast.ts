import type { LimitState, Overview } from '../../api/schema.js';
import { toBillionths } from '../../lib/money.js';

/** Says on pages how forecasts of months are calculated. */
export const forecastMethod =
  'Forecasts expect today and the remaining days to cost what their weekdays cost on average in the last 4 weeks, or since costs began. With less than a week of costs, they continue at the pace of the month so far.';

/** What the rest of the current month will probably cost, as the overview has it: in billionths. */
export function restOfOverview({ costForecast, month }: Pick<Overview, 'costForecast' | 'month'>): bigint | undefined {
  if (typeof costForecast !== 'string') return undefined;
  return toBillionths(costForecast) - toBillionths(month?.totals.cost ?? '0');
}

/** Whether the forecast of the month is about a limit: it counts costs of all models. */
export function isMonthlyBudget({ metric, per, models }: Pick<LimitState, 'metric' | 'per' | 'models'>): boolean {
  return metric === 'cost' && per === 'month' && models === undefined;
}
