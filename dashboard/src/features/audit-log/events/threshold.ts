import type { AuditEvent, Limit } from '../../../api/schema.js';
import { type Amount, formatAmount } from '../../../common/limits/amounts.js';
import { describeLimit, isAmount, isLimit } from '../../../common/limits/describe-limit.js';
import { formatPercent } from '../../../lib/format-numbers.js';
import { exactTime } from '../../../lib/format-time.js';
import type { Change } from './describe-changes.js';

/** What a `limit.threshold` event says of a budget. */
interface Threshold {
  limit: Limit;
  /** Of the maximum, which includes a temporary increase. */
  percent: number;
  /** What was used when it was reached. */
  charged: Amount | undefined;
  periodStart: string | undefined;
}

/** Reads the values of a `limit.threshold` event; undefined if they are different from what this dashboard knows. */
export function readThreshold(after: AuditEvent['after']): Threshold | undefined {
  if (after === null || !isLimit(after)) return undefined;
  const { percent, charged, periodStart, models } = after as Limit & Record<string, unknown>;
  if (typeof percent !== 'number') return undefined;
  const { metric, per, max } = after;
  return {
    limit: { metric, ...(per !== undefined && { per }), max, ...(Array.isArray(models) && { models }) },
    percent,
    charged: isAmount(charged) ? charged : undefined,
    periodStart: typeof periodStart === 'string' && !Number.isNaN(Date.parse(periodStart)) ? periodStart : undefined,
  };
}

/** Such as "80% of its budget of $25.00 per month". */
export function describeThreshold({ limit, percent }: Threshold, currency: string | undefined): string {
  return `${formatPercent(percent)} of its budget of ${describeLimit(limit, currency)}`;
}

/** The values of the event, as it shows changes. */
export function thresholdDetails({ limit, charged, periodStart }: Threshold, currency: string | undefined): Change[] {
  return [
    { field: 'Budget', before: [], after: [describeLimit(limit, currency)] },
    ...(charged === undefined
      ? []
      : [{ field: 'Used', before: [], after: [formatAmount(limit.metric, charged, currency)] }]),
    ...(periodStart === undefined ? [] : [{ field: 'Period started', before: [], after: [exactTime(periodStart)] }]),
  ];
}
