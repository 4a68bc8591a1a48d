import { fromInteger, toInteger } from '../common/money/decimal.js';
import type { Metric } from '../common/rules/limit-rules.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { parseInstant } from '../common/validation/instant.js';
import type { LimitDto, ShownLimitDto } from './dto/limit.dto.js';
import { compareLimits, type Limit } from './limit.js';

/**
 * Prepares validated limits for storage, so that equal limits are stored alike: sorted, costs in billionths, times in UTC,
 * without fields that aren't set.
 *
 * @returns null for an empty list
 */
export function toStoredLimits(limits: readonly LimitDto[]): Limit[] | null {
  if (limits.length === 0) return null;
  return limits.map(toStoredLimit).sort(compareLimits);
}

function toStoredLimit({ metric, per, max, models, increase, notifyAt }: LimitDto): Limit {
  return {
    metric,
    ...(per !== undefined && { per }),
    max: toStoredAmount(metric, max),
    ...(models && { models: models.toSorted() }),
    ...(increase && {
      increase: { by: toStoredAmount(metric, increase.by), until: toUtc(increase.until) },
    }),
    ...(notifyAt && notifyAt.length > 0 && { notifyAt: notifyAt.toSorted((one, other) => one - other) }),
  };
}

/**
 * Adds stored limits to others. A limit that counts the same replaces the current one as a whole.
 *
 * @returns as stored: sorted, and null without limits
 */
export function mergeLimits(current: readonly Limit[] | null, added: readonly Limit[] | null): Limit[] | null {
  const kept = (current ?? []).filter((limit) => !added?.some((other) => compareLimits(limit, other) === 0));
  const merged = [...kept, ...(added ?? [])].sort(compareLimits);
  return merged.length === 0 ? null : merged;
}

/** A stored limit as responses and audit events show it. */
export function toShownLimit({ metric, per, max, models, increase, notifyAt }: Limit): ShownLimitDto {
  return {
    metric,
    ...(per !== undefined && { per }),
    max: toShownAmount(metric, max),
    ...(models !== undefined && { models }),
    ...(increase !== undefined && {
      increase: { by: toShownAmount(metric, increase.by), until: increase.until },
    }),
    ...(notifyAt !== undefined && { notifyAt }),
  };
}

/** Replaces stored limits among the fields of an audit event. */
export function showLimits(fields: { limits?: Limit[] | null } & Record<string, unknown>): Record<string, unknown> {
  const { limits } = fields;
  return limits ? { ...fields, limits: limits.map(toShownLimit) } : { ...fields };
}

function toStoredAmount(metric: Metric, amount: number | string): number | string {
  return metric === 'cost' ? String(toInteger(String(amount), costDecimals)) : amount;
}

/** An amount as responses show it: a decimal without trailing zeros for costs, which are stored in billionths. */
export function toShownAmount(metric: Metric, amount: number | string): number | string {
  return metric === 'cost' ? fromInteger(BigInt(amount), costDecimals) : Number(amount);
}

function toUtc(instant: string): string {
  const time = parseInstant(instant);
  if (time === undefined) throw new Error('The time of a limit was not validated.');
  return time.toISOString();
}
