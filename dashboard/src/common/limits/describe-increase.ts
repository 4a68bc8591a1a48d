import { minuteTime } from '../../lib/format-time.js';
import { formatAmount, fromUnits, nameAmount, readUnits } from './amounts.js';
import { describeLimit, nameIncrease } from './describe-limit.js';
import type { LimitRow } from './limit-rows.js';

/**
 * Describes a temporary increase of an entered limit, such as "$30.00 per month until 1 Dec 2026, 00:00 CET, then $25.00".
 * Undefined without an increase, and while it's invalid.
 *
 * @param now milliseconds since 1970
 */
export function describeIncrease(row: LimitRow, currency: string | undefined, now: number): string | undefined {
  const { metric, per, increase } = row;
  const by = readUnits(metric, increase.by);
  const end = new Date(increase.until);
  if (by === undefined || Number.isNaN(end.getTime())) return undefined;
  const until = minuteTime(end.toISOString());
  if (end.getTime() <= now) return `increase ended ${until}`;
  const max = readUnits(metric, row.max);
  if (max === undefined) return `${nameIncrease(metric, fromUnits(metric, by), currency)} until ${until}`;
  const raised = describeLimit({ metric, per, max: fromUnits(metric, max + by) }, currency);
  const name = metric === 'cost' ? nameAmount : formatAmount;
  return `${raised} until ${until}, then ${name(metric, fromUnits(metric, max), currency)}`;
}
