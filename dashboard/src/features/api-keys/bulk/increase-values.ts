import type { IncreaseLimit } from '../../../api/schema.js';
import { checkAmount } from '../../../common/limits/check-limits.js';
import { type LimitRow, toIncrease } from '../../../common/limits/limit-rows.js';
import { checkExpiry } from '../dialogs/key-lifetime.js';
import type { SharedLimit } from './shared-limits.js';

/** An increase of limits of several keys, as entered in a form. */
export interface IncreaseValues {
  /** The index of the limit among those of the keys. */
  target: number;
  increase: LimitRow['increase'];
  /** Whether the current increases are removed instead. */
  isRemoval: boolean;
}

export const noIncrease: IncreaseValues = { target: 0, increase: { by: '', until: '' }, isRemoval: false };

type Limits = readonly Pick<SharedLimit<unknown>, 'metric' | 'per' | 'models'>[];

/** Chooses another limit. An amount of another metric would mean something else. */
export function withTarget({ target, increase }: IncreaseValues, limits: Limits, chosen: number): IncreaseValues {
  const isSameMetric = limits[target]?.metric === limits[chosen]?.metric;
  return { target: chosen, increase: isSameMetric ? increase : { ...increase, by: '' }, isRemoval: false };
}

/** Returns the errors of the fields by their path. An increase that has already ended would do nothing. */
export function checkIncrease({ target, increase, isRemoval }: IncreaseValues, limits: Limits, now: number) {
  const limit = limits[target];
  if (limit === undefined || isRemoval) return {};
  const errors = {
    'increases.increase.by': checkAmount(increase.by, limit.metric),
    'increases.increase.until': checkExpiry({ lifetime: 'custom', expiresAt: increase.until }, { maxDays: null, now }),
  };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error !== undefined));
}

/** Returns the valid values as the API takes them. */
export function toIncreaseLimit(
  { metric, per, models }: Limits[number],
  { increase, isRemoval }: IncreaseValues,
): IncreaseLimit {
  return {
    metric,
    ...(per !== undefined && { per }),
    ...(models !== undefined && { models }),
    increase: isRemoval ? null : toIncrease(metric, increase),
  };
}
