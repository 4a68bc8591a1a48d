import type { LimitState } from '../../api/schema.js';
import { levelOf } from './limit-level.js';
import { isMonthlyBudget } from './monthly-forecast.js';

/** Whether bars of limits explain how months are forecast, if the forecast is known. */
export function explainsForecast(limits: readonly LimitState[]): boolean {
  return limits.some((limit) => isMonthlyBudget(limit) && levelOf(limit) !== 'full');
}
