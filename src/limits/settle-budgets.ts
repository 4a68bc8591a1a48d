import { isBudget } from '../common/rules/limit-rules.js';
import { toArrayLiteral } from '../database/array-literal.js';
import { type CountedLimit, isCountedIn, isMeteredBudget } from './admission.js';
import { appliesTo } from './limit.js';
import type { Change, SettledRequest } from './settlements.js';

/** Of known-budgets.sql and settled-budgets.sql. */
export const budgetParameters = [
  ...['ownerIds', 'budgetCount', 'periodOrganizationIds', 'periods', 'periodEnds'],
  ...['counterOwnerIds', 'counterMetrics', 'counterPeriods', 'counterEnds'],
  ...['generations', 'held', 'used', 'estimated', 'noticeLevels'],
];

/**
 * The values of these parameters.
 *
 * @param changes of these requests, by counter
 * @returns undefined if `settle_amounts` has to settle them
 */
export function toBudgetSettlement(
  requests: readonly SettledRequest[],
  changes: readonly Change[],
): Record<string, unknown> | undefined {
  const counters = new Set(changes.map(({ limit }) => limit.counter));
  const isSimple = counters.size === changes.length && changes.every(({ charged }) => charged === 0);
  const budgets = isSimple ? budgetsOf(requests) : undefined;
  if (budgets === undefined) return undefined;
  const periods = [...periodsOf(requests).values()];
  const arrayOf = (read: (change: Change) => string | number | bigint | undefined) => toArrayLiteral(changes.map(read));
  return {
    ownerIds: toArrayLiteral(budgets.keys()),
    budgetCount: [...budgets.values()].reduce((sum, { length }) => sum + length, 0),
    periodOrganizationIds: toArrayLiteral(periods.map(({ organizationId }) => organizationId)),
    periods: toArrayLiteral(periods.map(({ limit }) => limit.per)),
    periodEnds: toArrayLiteral(periods.map(({ limit }) => limit.resetsAt)),
    counterOwnerIds: arrayOf(({ limit }) => limit.ownerId),
    // Contains the names of models.
    counterMetrics: changes.map(({ limit }) => limit.counterMetric),
    counterPeriods: arrayOf(({ limit }) => limit.per ?? '""'),
    counterEnds: arrayOf(({ limit }) => limit.resetsAt),
    generations: arrayOf(({ generation }) => generation),
    held: arrayOf(({ held }) => held),
    used: arrayOf(({ used }) => used),
    estimated: arrayOf(({ estimated }) => estimated),
    noticeLevels: arrayOf(({ limit }) => limit.firstNotice && (limit.max * limit.firstNotice) / 100),
  };
}

/**
 * The budgets in tokens, pages and cost of each key and organization.
 *
 * @returns undefined if they changed between the requests, or a request wasn't counted in all of them
 */
function budgetsOf(requests: readonly SettledRequest[]): Map<string, readonly string[]> | undefined {
  const budgets = new Map<string, readonly string[]>();
  for (const { keyId, organizationId, limits, reservations } of requests) {
    if (reservations.length === 0) continue;
    const metered = limits.filter((limit) => isMeteredBudget(limit));
    for (const { reservation, used } of reservations) {
      const amounts = used ?? reservation.held;
      const missed = metered.some((limit) => {
        return appliesTo(limit, reservation.model) && amounts[limit.metric] && !isCountedIn(reservation, limit);
      });
      if (missed) return undefined;
    }
    for (const ownerId of [keyId, organizationId]) {
      const own = metered.filter((limit) => limit.ownerId === ownerId).map(({ counter }) => counter);
      const known = budgets.get(ownerId) ?? own;
      if (known.length !== own.length || known.some((name) => !own.includes(name))) return undefined;
      budgets.set(ownerId, known);
    }
  }
  return budgets;
}

/** The periods of organizations that requests belong to. */
function periodsOf(requests: readonly SettledRequest[]) {
  const periods = new Map<string, { organizationId: string; limit: CountedLimit }>();
  for (const { organizationId, counted, reservations } of requests) {
    for (const { counts } of [...counted, ...reservations.map(({ reservation }) => reservation)]) {
      for (const { limit } of counts) {
        if (isBudget(limit)) periods.set(`${organizationId} ${limit.per} ${limit.resetsAt}`, { organizationId, limit });
      }
    }
  }
  return periods;
}
