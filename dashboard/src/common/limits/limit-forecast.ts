import { lazily } from '../../lib/lazily.js';
import { forecast, type TimeSpan } from '@rules/forecast.js';
import { isBudget, type Metric } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import { costFormatter } from '../../lib/format-numbers.js';
import { locale } from '../../lib/locale.js';
import { fromUnits, nameAmount, toUnits } from './amounts.js';
import { budgetPeriod, lastDayOf } from './budget-period.js';
import { describeShare } from './describe-limit.js';
import { isMonthlyBudget } from './monthly-forecast.js';
import { currentMax, levelOf, maxAt } from './limit-level.js';

/** What a budget will have used by the end of its period. */
export interface BudgetForecast {
  /** Such as "Forecast: $31.20 by 30 November, 125.0% of the budget". */
  text: string;
  isTooMuch: boolean;
}

const digits = 3;
/** Forecasts from less time are guesses, even if little of the period is left. */
const leastMilliseconds = 3_600_000;
const longDay = lazily(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone: 'UTC' }));

export interface ForecastBasis {
  /** When the key was created, before which it couldn't use anything; milliseconds since 1970, 0 for organizations. */
  createdAt?: number;
  /** What the rest of the month will probably cost, in billionths. Forecasts of monthly budgets add it. */
  expectedRest?: bigint | undefined;
}

/**
 * Forecasts a monthly budget of costs by weekday, and others at their current pace. Undefined for limits that refill, at the
 * start of a period, for new keys, and for budgets that are unused or exhausted.
 *
 * @param now milliseconds since 1970
 */
export function forecastBudget(
  state: LimitState,
  now: number,
  currency: string | undefined,
  { createdAt = 0, expectedRest }: ForecastBasis = {},
): BudgetForecast | undefined {
  const { metric, used, reserved, resetsAt } = state;
  if (!isBudget(state) || resetsAt === null || levelOf(state) === 'full') return undefined;
  const period = budgetPeriod(state.per, Date.parse(resetsAt));
  // Running requests return what they don't need of their reservations.
  const charged = toUnits(metric, used) - toUnits(metric, reserved);
  const isByWeekday = expectedRest !== undefined && isMonthlyBudget(state);
  const units = isByWeekday ? charged + expectedRest : continuePace(charged, period, now, createdAt);
  if (units === undefined || units <= 0n) return undefined;
  const end = state.per === 'day' ? 'the end of the day' : longDay().format(lastDayOf(state.per, period.end));
  const max = maxAt(state, period.end);
  const share = describeShare(units, max);
  const after = max === currentMax(state) ? '' : ' after the increase ends';
  return {
    text: `${isByWeekday ? 'Forecast' : 'At this rate'}: ${nameForecast(metric, units, max, currency)} by ${end}, ${share} of the budget${after}`,
    isTooMuch: units > max,
  };
}

function continuePace(charged: bigint, period: TimeSpan, now: number, createdAt: number): bigint | undefined {
  const start = Math.max(period.start, createdAt);
  return now - start < leastMilliseconds ? undefined : forecast(charged, { start, end: period.end }, now);
}

/** Rounded, because a forecast isn't exact: costs to the decimals of the budget. */
function nameForecast(metric: Metric, units: bigint, max: bigint, currency: string | undefined): string {
  const amount = Number(fromUnits(metric, units));
  if (metric === 'cost') return costFormatter([Number(fromUnits(metric, max))], currency)(amount);
  return nameAmount(metric, Number(amount.toPrecision(digits)), currency);
}
