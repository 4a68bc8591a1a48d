import { readAmount } from '../../lib/money.js';
import { describeModels, describeOptions } from './describe-limit.js';
import type { LimitRow } from './limit-rows.js';

/** What is set in the options of a row, such as "for gpt-mini · alerts at 80%"; empty if nothing is, or while it's invalid. */
export function describeRowOptions(
  { metric, models, increase: { by, until }, notifyAt }: LimitRow,
  currency: string | undefined,
): string {
  const amount = metric === 'cost' ? readAmount(String(by)) : by;
  const time = new Date(until);
  const isIncreased = amount !== undefined && amount !== '' && !Number.isNaN(time.getTime());
  const options = {
    metric,
    ...(isIncreased && { increase: { by: amount, until: time.toISOString() } }),
    notifyAt: notifyAt.map(Number),
  };
  return [describeModels(models).trim(), ...describeOptions(options, currency)]
    .filter((text) => text !== '')
    .join(' · ');
}
