/** Rules for limits. Shared with the dashboard, so no dependencies. */

/**
 * What a limit counts. `tokens` are input and output tokens, `pages` are document pages, `cost` is money, and
 * `concurrency` is the number of running requests.
 */
export const metrics = ['requests', 'tokens', 'pages', 'cost', 'concurrency'] as const;
export type Metric = (typeof metrics)[number];

/** `day`, `week` and `month` are budgets of a calendar period; the others are refilled continuously. */
export const periods = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const;
export type Period = (typeof periods)[number];

/** Periods start anew in the organization's time zone. Weeks start on Monday. */
export const budgetPeriods = ['day', 'week', 'month'] as const satisfies readonly Period[];
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Of requests, tokens and pages. */
export const maxLimit = 1e12;
/** Of costs, in units of the currency. */
export const maxCostLimit = 1e9;
/** Of running requests. */
export const maxConcurrency = 1_000_000;
/** Limits of one key or organization. */
export const maxLimits = 30;
/** Models of one limit. */
export const maxLimitModels = 100;
/** Percentages of one limit at which people are told. */
export const maxNotices = 10;

/**
 * The periods a metric can be limited in; none for running requests. The tokens and pages of a single request may take
 * longer than a second, so they have no limit per second.
 */
export function periodsOf(metric: Metric): readonly Period[] {
  switch (metric) {
    case 'requests':
      return periods;
    case 'tokens':
    case 'pages':
      return periods.filter((period) => period !== 'second');
    case 'cost':
      return budgetPeriods;
    case 'concurrency':
      return [];
  }
}

/** Whether the limit is a budget, which resets with each calendar period. */
export function isBudget<Limit extends { readonly per?: Period | undefined }>(
  limit: Limit,
): limit is Limit & { per: BudgetPeriod } {
  return budgetPeriods.some((period) => period === limit.per);
}
