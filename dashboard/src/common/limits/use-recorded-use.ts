import { useQueries } from '@tanstack/react-query';
import { isBudget } from '@rules/limit-rules.js';
import { useMe, usePermission } from '../../session/me.js';
import type { LimitRow } from './limit-rows.js';
import { type RecordedUse, recordedUseQuery } from './recorded-use.js';

/**
 * Reads what was used in the current periods of the budgets in a form.
 *
 * @param keyIds undefined for all keys together
 * @returns what was used in the period of a row; undefined while it's loading, without permission to see usage, and for
 *   limits that refill
 */
export function useRecordedUse(
  rows: readonly LimitRow[],
  keyIds: readonly string[] | undefined,
): (row: LimitRow) => RecordedUse | undefined {
  const { timeZone } = useMe().organization;
  const maySeeUsage = usePermission('get-usage');
  const names = [...new Set(rows.filter(isBudget).map(nameOf))];
  const results = useQueries({
    queries: names.map((name) => {
      const { per, models } = JSON.parse(name) as Pick<Parameters<typeof recordedUseQuery>[0], 'per' | 'models'>;
      return { ...recordedUseQuery({ per, models, keyIds }, timeZone), enabled: maySeeUsage };
    }),
  });
  return (row) => results[names.indexOf(nameOf(row))]?.data;
}

/** The same for rows that count the same requests. */
const nameOf = ({ per, models }: LimitRow) => JSON.stringify({ per, models: models.toSorted() });
