import { invalidField } from '../common/errors/app-error.js';
import type { UsageFilterDto, UsageReportQueryDto } from './dto/usage-query.dto.js';
import { toUsagePeriod, type UsagePeriod } from './usage-period.js';

/** The period to compare with, and what the order is of. */
type Comparison = Partial<Pick<UsageReportQueryDto, 'compareFrom' | 'compareTo' | 'orderMode'>>;

/**
 * Returns the period that a report is compared with, in UTC hours; undefined without one.
 *
 * @throws AppError 400 if a part of the comparison is missing, or the period is invalid
 */
export function toComparedPeriod(
  { compareFrom, compareTo, orderMode, timeZone }: Comparison & Pick<UsageFilterDto, 'timeZone'>,
  now: Date,
): UsagePeriod | undefined {
  if (compareFrom === undefined && compareTo === undefined) {
    if (orderMode !== 'change') return undefined;
    throw invalidField('orderMode', 'orderMode=change requires compareFrom and compareTo.');
  }
  if (compareFrom === undefined) throw invalidField('compareFrom', 'compareTo requires compareFrom.');
  if (compareTo === undefined) throw invalidField('compareTo', 'compareFrom requires compareTo.');
  const requested = { from: compareFrom, to: compareTo, interval: 'none' as const, timeZone };
  return toUsagePeriod(requested, now, { from: 'compareFrom', to: 'compareTo' });
}

/** @throws AppError 400 if there is a prefix, but tags aren't groups */
export function checkTagPrefix({ tagPrefix, groupBy }: Pick<UsageFilterDto, 'tagPrefix' | 'groupBy'>): void {
  if (tagPrefix === undefined || groupBy === 'tag') return;
  throw invalidField('tagPrefix', 'tagPrefix requires groupBy=tag.');
}
