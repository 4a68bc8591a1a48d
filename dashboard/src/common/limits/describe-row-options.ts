import { describeIncrease } from './describe-increase.js';
import { describeModels, describeOptions } from './describe-limit.js';
import type { LimitRow } from './limit-rows.js';

/**
 * What is set in the options of a row, such as "for gpt-mini · alerts at 80%"; empty if nothing is, or while it's invalid.
 *
 * @param now milliseconds since 1970
 */
export function describeRowOptions(row: LimitRow, currency: string | undefined, now: number): string {
  const { metric, models, notifyAt } = row;
  return [
    describeModels(models).trim(),
    describeIncrease(row, currency, now) ?? '',
    ...describeOptions({ metric, notifyAt: notifyAt.map(Number) }, currency),
  ]
    .filter((text) => text !== '')
    .join(' · ');
}
