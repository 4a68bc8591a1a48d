import { fromInteger, toInteger } from '../common/money/decimal.js';
import type { Metric } from '../common/rules/limit-rules.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { parseInstant } from '../common/validation/instant.js';
import type { IncreaseLimitDto } from './dto/increase-limit.dto.js';
import type { LimitIncreaseDto } from './dto/limit-increase.dto.js';
import type { LimitDto, ShownLimitDto } from './dto/limit.dto.js';
import { compareLimits, type Limit, type LimitIdentity } from './limit.js';

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
    ...(increase && { increase: toStoredIncrease(metric, increase) }),
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

/** The increase of the limits with an identity; null for none. */
interface StoredIncrease extends LimitIdentity {
  readonly increase: NonNullable<Limit['increase']> | null;
}

/** Prepares validated increases, as `toStoredLimits` does limits. */
export function toStoredIncreases(increases: readonly IncreaseLimitDto[]): StoredIncrease[] {
  return increases.map(({ metric, per, models, increase }) => ({
    metric,
    ...(per !== undefined && { per }),
    ...(models && { models: models.toSorted() }),
    increase: increase && toStoredIncrease(metric, increase),
  }));
}

/** Replaces the increases of the stored limits that count the same. Everything else stays. */
export function increaseLimits(current: readonly Limit[] | null, increases: readonly StoredIncrease[]): Limit[] | null {
  if (current === null) return null;
  return current.map((limit) => {
    const wanted = increases.find((candidate) => compareLimits(candidate, limit) === 0);
    return wanted === undefined ? limit : withIncrease(limit, wanted.increase);
  });
}

function withIncrease(limit: Limit, increase: StoredIncrease['increase']): Limit {
  if (increase !== null) return { ...limit, increase };
  const plain = { ...limit };
  delete plain.increase;
  return plain;
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

function toStoredIncrease(metric: Metric, { by, until }: LimitIncreaseDto): NonNullable<Limit['increase']> {
  return { by: toStoredAmount(metric, by), until: toUtc(until) };
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
