/** Rules for limits. Shared with the dashboard, so no dependencies. */

/** What a limit counts. `tokens` are input and output tokens, `pages` are document pages. */
export const metrics = ['requests', 'tokens', 'pages'] as const;
export type Metric = (typeof metrics)[number];

/** `day` and `month` are budgets of a UTC calendar period; the others are refilled continuously. */
export const periods = ['second', 'minute', 'hour', 'day', 'month'] as const;
export type Period = (typeof periods)[number];

export const maxLimit = 1e12;

/** The tokens and pages of a single request may take longer than a second, so they have no limit per second. */
export function periodsOf(metric: Metric): readonly Period[] {
  return metric === 'requests' ? periods : periods.filter((period) => period !== 'second');
}

/** Whether the limit is a budget, which resets with each calendar period. */
export function isBudget({ per }: { per: Period }): boolean {
  return per === 'day' || per === 'month';
}
