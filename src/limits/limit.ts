import {
  type BudgetPeriod,
  isBudget,
  type Metric,
  metrics,
  type Period,
  periods,
} from '../common/rules/limit-rules.js';

/** How much a key or an organization may use, as it's stored. Fields that aren't set are missing. */
export interface Limit {
  metric: Metric;
  /** Missing for running requests. */
  per?: Period;
  /** Of costs, whole billionths of the currency as text, because they may exceed 2^53. */
  max: number | string;
  /** Ids of the only models whose requests count, sorted. */
  models?: string[];
  /** Raises `max` until a time. */
  increase?: { by: number | string; until: string };
  /** Percentages of `max` at which an event is written, ascending. */
  notifyAt?: number[];
}

/** What tells the limits of an owner apart. */
export type LimitIdentity = Pick<Limit, 'metric' | 'per'> & { readonly models?: readonly string[] | undefined };

/** What a limit applies to: one key, or all keys of an organization together. */
export const limitOwners = ['api-key', 'organization'] as const;
export type LimitOwner = (typeof limitOwners)[number];

/** A limit and what is used of it, at one time. Costs are in billionths of the currency. */
export interface LimitState extends LimitIdentity {
  /** Id of the API key or the organization. */
  readonly ownerId: string;
  /** Includes an increase that applies now. */
  readonly max: number;
  /** May be a fraction, because it is refilled continuously, and may exceed `max`. */
  readonly charged: number;
  /** What running requests hold of a budget in addition, or their number. */
  readonly reserved: number;
  /** When a budget's period ends, in milliseconds since 1970. */
  readonly resetsAt?: number;
}

/** A limit that rejected a request. Costs are decimals. */
export interface ExceededLimit extends Pick<Limit, 'metric' | 'per' | 'max' | 'models'> {
  owner: LimitOwner;
  /** What the request needed. If it's more than `max`, the request never fits. */
  needed: number | string;
}

/** Sorts limits by metric, period and models, those on all models first. 0 for the same limit, which may differ in its maximum. */
export function compareLimits(one: LimitIdentity, other: LimitIdentity): number {
  const byMetric = metrics.indexOf(one.metric) - metrics.indexOf(other.metric);
  if (byMetric !== 0) return byMetric;
  const byPeriod = indexOfPeriod(one) - indexOfPeriod(other);
  if (byPeriod !== 0) return byPeriod;
  const [models = '', otherModels = ''] = [one.models?.join('\n'), other.models?.join('\n')];
  if (models === otherModels) return 0;
  return models < otherModels ? -1 : 1;
}

const indexOfPeriod = ({ per }: LimitIdentity) => (per === undefined ? -1 : periods.indexOf(per));

/** Whether requests to a model count. */
export function appliesTo({ models }: LimitIdentity, model: string): boolean {
  return models === undefined || models.includes(model);
}

type Used = Pick<LimitState, 'charged' | 'reserved'>;

/** What is neither charged nor reserved, in whole units. */
export function remainingOf({ max, charged, reserved }: Used & Pick<LimitState, 'max'>): number {
  return Math.max(0, Math.floor(max - charged - reserved + roundingError));
}

/** What is charged or reserved, in whole units. */
export function usedOf({ charged, reserved }: Used): number {
  return Math.max(0, Math.ceil(charged + reserved - roundingError));
}

/** Like `tolerance` in the function `reserve_amounts`. */
const roundingError = 1e-6;

/** After which a request may find that another has ended. */
const concurrencyRetryMilliseconds = 1000;

/**
 * Milliseconds until an amount fits, if nothing else is used and running requests use nothing of what they reserve; 0 if
 * it fits now.
 */
export function millisecondsUntilFits(state: LimitState, amount: number, now: Date): number {
  if (state.metric === 'concurrency')
    return amount > 0 && state.reserved + amount > state.max ? concurrencyRetryMilliseconds : 0;
  const missing = state.charged + amount - state.max;
  if (missing <= roundingError) return 0;
  return millisecondsToFree(state, missing, now);
}

/** Milliseconds until nothing is used any more, if nothing else is used; 0 for running requests. */
export function millisecondsUntilReset(state: LimitState, now: Date): number {
  return millisecondsToFree(state, state.charged, now);
}

const bucketSeconds = { second: 1, minute: 60, hour: 3600 };
const daySeconds = 86_400;

/** The length of the limit's period; of a month, of the current one. */
export function periodSeconds({ per, resetsAt = 0 }: Pick<LimitState, 'per' | 'resetsAt'>): number {
  switch (per) {
    case undefined:
      return 0;
    case 'day':
      return daySeconds;
    case 'week':
      return 7 * daySeconds;
    case 'month': {
      const start = new Date(resetsAt);
      start.setUTCMonth(start.getUTCMonth() - 1);
      return (resetsAt - start.getTime()) / 1000;
    }
    case 'second':
    case 'minute':
    case 'hour':
      return bucketSeconds[per];
  }
}

function millisecondsToFree(state: LimitState, amount: number, now: Date): number {
  const { per, max, resetsAt } = state;
  if (per === undefined) return 0;
  if (isBudget(state)) return Math.max(1, (resetsAt ?? 0) - now.getTime());
  return Math.ceil(((amount * bucketSeconds[per as Exclude<Period, BudgetPeriod>]) / max) * 1000);
}
