import type { Metric } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import { minuteTime } from '../../lib/format-time.js';
import { type Amount, formatAmount, fromUnits, nameAmount, readUnits } from './amounts.js';
import { describeLimit, nameIncrease } from './describe-limit.js';
import { currentMax } from './limit-level.js';
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
  return `${raised} until ${until}, then ${nameMax(metric, fromUnits(metric, max), currency)}`;
}

/** Describes what a limit allows now, such as "$25.00 per month"; with an increase that applies, like `describeIncrease`. */
export function describeCurrentLimit(limit: LimitState, currency: string | undefined): string {
  const { metric, max, increase, isIncreased } = limit;
  if (!isIncreased || increase === undefined) return describeLimit(limit, currency);
  const raised = describeLimit({ ...limit, max: fromUnits(metric, currentMax(limit)) }, currency);
  return `${raised} until ${minuteTime(increase.until)}, then ${nameMax(metric, max, currency)}`;
}

function nameMax(metric: Metric, max: Amount, currency: string | undefined): string {
  return (metric === 'cost' ? nameAmount : formatAmount)(metric, max, currency);
}
