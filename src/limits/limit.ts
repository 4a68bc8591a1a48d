import { type Metric, metrics, type Period, periods } from '../common/rules/limit-rules.js';

/** How much a key or an organization may use. */
export interface Limit {
  metric: Metric;
  per: Period;
  /** 1 to `maxLimit`. */
  max: number;
}

/** A limit that rejected a request. */
export interface ExceededLimit extends Limit {
  owner: LimitOwner;
  /** What the request needed. If it's more than `max`, the request never fits. */
  needed: number;
}

/** What a limit applies to: one key, or all keys of an organization together. */
export const limitOwners = ['api-key', 'organization'] as const;
export type LimitOwner = (typeof limitOwners)[number];

/** A limit and what is used of it, at one time. */
export interface LimitState extends Limit {
  /** Id of the API key or the organization. */
  ownerId: string;
  /** May be a fraction, because it is refilled continuously, and may exceed `max`. */
  charged: number;
  /** What running requests hold of a budget, in addition. */
  reserved: number;
}

/** Prepares limits for storage: sorted by metric and period; null for an empty list. */
export function toStoredLimits(limits: readonly Limit[]): Limit[] | null {
  if (limits.length === 0) return null;
  return limits.map(({ metric, per, max }) => ({ metric, per, max })).sort(compareLimits);
}

/** Sorts limits by metric and period. */
export function compareLimits(one: Pick<Limit, 'metric' | 'per'>, other: Pick<Limit, 'metric' | 'per'>): number {
  const byMetric = metrics.indexOf(one.metric) - metrics.indexOf(other.metric);
  return byMetric === 0 ? periods.indexOf(one.per) - periods.indexOf(other.per) : byMetric;
}

const bucketSeconds = { second: 1, minute: 60, hour: 3600 };

type Used = Pick<LimitState, 'charged' | 'reserved'>;

/** What is neither charged nor reserved, in whole units. */
export function remainingOf({ max, charged, reserved }: Used & Pick<LimitState, 'max'>): number {
  return Math.max(0, Math.floor(max - charged - reserved + roundingError));
}

/** What is charged or reserved, in whole units. */
export function usedOf({ charged, reserved }: Used): number {
  return Math.max(0, Math.ceil(charged + reserved - roundingError));
}

/** Like `tolerance` in the function `reserve_usage`. */
const roundingError = 1e-6;

/**
 * Milliseconds until an amount fits, if nothing else is used and running requests use nothing of what they reserve; 0 if
 * it fits now.
 */
export function millisecondsUntilFits(state: LimitState, amount: number, now: Date): number {
  const missing = state.charged + amount - state.max;
  if (missing <= roundingError) return 0;
  return millisecondsToFree(state, missing, now);
}

/** Milliseconds until nothing is used any more, if nothing else is used. */
export function millisecondsUntilReset(state: LimitState, now: Date): number {
  return millisecondsToFree(state, state.charged, now);
}

/** The length of the limit's period; of a month, of the current one. */
export function periodSeconds({ per }: Pick<Limit, 'per'>, now: Date): number {
  if (per !== 'day' && per !== 'month') return bucketSeconds[per];
  return (startOfNextPeriod(per, now) - startOfPeriod(per, now)) / 1000;
}

function millisecondsToFree({ per, max }: Limit, amount: number, now: Date): number {
  if (per === 'day' || per === 'month') return startOfNextPeriod(per, now) - now.getTime();
  return Math.ceil(((amount * bucketSeconds[per]) / max) * 1000);
}

function startOfPeriod(per: 'day' | 'month', now: Date): number {
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), per === 'day' ? now.getUTCDate() : 1);
}

function startOfNextPeriod(per: 'day' | 'month', now: Date): number {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1);
}
