import { isBudget } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import { fromUnits, toUnits } from '../../common/limits/amounts.js';
import { describeLimit, describeShare } from '../../common/limits/describe-limit.js';
import { currentMax, type Level, levelOf } from '../../common/limits/limit-level.js';
import type { Description } from './describe-attention.js';

export interface BudgetDescription extends Description {
  level: Exclude<Level, 'normal'>;
}

/** Describes the budgets of the organization that are used up, and then those that are used to 80% or more. */
export function describeBudgets(
  limits: readonly LimitState[],
  timeZone: string,
  currency: string,
): BudgetDescription[] {
  const until = `until it resets${timeZone === 'UTC' ? '' : ` at midnight in ${timeZone}`} or is raised.`;
  const described = limits.filter(isBudget).flatMap((limit): BudgetDescription[] => {
    const level = levelOf(limit);
    if (level === 'normal') return [];
    const max = fromUnits(limit.metric, currentMax(limit));
    const budget = `budget of ${describeLimit({ ...limit, max }, currency)}`;
    if (level === 'full') {
      return [{ level, title: `The organization's ${budget} is used up`, advice: `Requests are rejected ${until}` }];
    }
    const title = `The organization has used ${describeShare(toUnits(limit.metric, limit.used), currentMax(limit))} of its ${budget}`;
    return [{ level, title, advice: `Once it's used up, requests are rejected ${until}` }];
  });
  return [...described.filter(({ level }) => level === 'full'), ...described.filter(({ level }) => level === 'high')];
}
