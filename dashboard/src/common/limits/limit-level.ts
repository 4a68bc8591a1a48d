import type { LimitState } from '../../api/schema.js';
import { type Amount, toUnits } from './amounts.js';

/** How much of a limit is used: `high` from 80%, `full` from 100%. */
export type Level = 'normal' | 'high' | 'full';

const highPercent = 80n;

/** What a limit allows now, in units: its maximum, and a temporary increase that applies. */
export function currentMax({ metric, max, increase, isIncreased }: LimitState): bigint {
  return toUnits(metric, max) + (isIncreased && increase !== undefined ? toUnits(metric, increase.by) : 0n);
}

/** The maximum just before a time, in units. */
export function maxAt({ metric, max, increase }: LimitState, time: number): bigint {
  const isIncreased = increase !== undefined && Date.parse(increase.until) >= time;
  return toUnits(metric, max) + (isIncreased ? toUnits(metric, increase.by) : 0n);
}

export function levelOf(state: LimitState): Level {
  const { metric, used, remaining } = state;
  const [max, usedUnits] = [currentMax(state), toUnits(metric, used)];
  if (usedUnits >= max || isZero(remaining)) return 'full';
  return usedUnits * 100n >= max * highPercent ? 'high' : 'normal';
}

const isZero = (amount: Amount) => Number(amount) === 0;
