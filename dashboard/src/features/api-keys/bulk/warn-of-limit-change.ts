import type { ListedApiKey } from '../../../api/schema.js';
import { isSameLimit, type LimitRow } from '../../../common/limits/limit-rows.js';
import { pluralize } from '../../../lib/format-numbers.js';

/** Whether limits are added to those of each key, or replace all of them. */
export type LimitChange = 'add' | 'replace';

/** Warns of current limits that a change of several keys removes or replaces; undefined if it keeps all of them. */
export function warnOfLimitChange(
  change: LimitChange,
  keys: readonly Pick<ListedApiKey, 'limits'>[],
  rows: readonly LimitRow[],
): string | undefined {
  const isEntered = (limit: Parameters<typeof isSameLimit>[0]) => rows.some((row) => isSameLimit(limit, row));
  const affected = keys.filter(({ limits = [] }) =>
    limits
      .map((limit) => ({ ...limit, per: limit.per }))
      .some((limit) => (change === 'add' ? isEntered(limit) : !isEntered(limit))),
  );
  if (affected.length === 0) return undefined;
  const count = pluralize(affected.length, 'key');
  if (change === 'add') {
    const others = keys.length - affected.length;
    const addition =
      others === 0 ? '' : ` ${pluralize(others, 'other key')} ${others === 1 ? 'gets' : 'get'} a new one.`;
    return `Replaces a current limit of ${count}.${addition}`;
  }
  return `Removes current limits of ${count}.`;
}
