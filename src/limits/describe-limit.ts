import { fromInteger } from '../common/money/decimal.js';
import { isBudget, type Metric } from '../common/rules/limit-rules.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { type LimitOwner, type LimitState, millisecondsUntilReset } from './limit.js';

/** Such as "This key's limit of 60 requests per minute". */
export function nameOf(state: LimitState, owner: LimitOwner, currency: string): string {
  const { metric, per, max, models } = state;
  const period = per === undefined ? '' : ` per ${per}`;
  const scope = models === undefined ? '' : ` for ${models.join(', ')}`;
  return `This ${owner === 'api-key' ? 'key' : 'organization'}'s limit of ${amountOf(max, metric, currency)}${period}${scope}`;
}

/** Such as "1 request", "2,000 tokens" or "0.25 USD". */
export function amountOf(amount: number, metric: Metric, currency: string): string {
  if (metric === 'cost') return `${toDecimalCost(amount)} ${currency}`;
  const count = amount.toLocaleString('en-US', { maximumFractionDigits: 0 });
  const unit = metric === 'concurrency' ? 'running requests' : metric;
  return `${count} ${amount === 1 ? unit.slice(0, -1) : unit}`;
}

/**
 * A cost as a decimal.
 *
 * @param cost in billionths
 */
export function toDecimalCost(cost: number): string {
  return fromInteger(BigInt(Math.max(0, Math.ceil(cost))), costDecimals);
}

/** What is charged and reserved, such as "20 tokens are charged and 10 reserved". */
export function stateOf({ charged, reserved, metric }: LimitState, currency: string): string {
  if (metric === 'concurrency') return `${reserved.toLocaleString('en-US')} are running`;
  const used = amountOf(Math.max(0, Math.ceil(charged - roundingError)), metric, currency);
  const held = amountOf(reserved, metric, currency);
  return `${used} charged and ${held} reserved`;
}

/** Like `tolerance` in the function `reserve_amounts`. */
const roundingError = 1e-6;

/**
 * When a request may fit, and when the limit is unused again.
 *
 * @param milliseconds until it fits, if nothing else is used
 */
export function retryHint(state: LimitState, milliseconds: number, now: Date): string {
  if (isBudget(state)) return resetHint(state, now);
  const retry = `Retry in ${Math.ceil(milliseconds / 1000)} s.`;
  return state.metric === 'concurrency' ? retry : `${retry} ${resetHint(state, now)}`;
}

/** When a limit of a period is unused again. */
export function resetHint(state: LimitState, now: Date): string {
  const milliseconds = millisecondsUntilReset(state, now);
  if (isBudget(state)) return `It resets at ${new Date(now.getTime() + milliseconds).toISOString()}.`;
  return `Unused, it's reset in ${Math.ceil(milliseconds / 1000)} s.`;
}
