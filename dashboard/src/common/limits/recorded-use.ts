import { queryOptions } from '@tanstack/react-query';
import type { BudgetPeriod } from '@rules/limit-rules.js';
import { api } from '../../api/api.js';
import type { operations, UsageTotals } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { currentPeriodStart } from './budget-period.js';

type UsageQuery = NonNullable<operations['getUsage']['parameters']['query']>;

/** Usage of a period, by key. That of all keys together has the key `undefined`. */
export type RecordedUse = ReadonlyMap<string | undefined, UsageTotals>;

interface BudgetUse {
  per: BudgetPeriod;
  /** Empty for all models. */
  models: readonly string[];
  /** Undefined for all keys together. */
  keyIds: readonly string[] | undefined;
}

/** Values that a filter of the service takes. */
const maxValues = 100;
const staleMilliseconds = 30_000;

/** What was used in the current day, week or month of a time zone, which a budget counts that is added now. */
export function recordedUseQuery({ per, models, keyIds }: BudgetUse, timeZone: string) {
  return queryOptions({
    queryKey: ['usage', 'recorded-use', per, models, keyIds, timeZone],
    queryFn: async ({ signal }) => {
      const from = currentPeriodStart(per, timeZone, Date.now()).toISOString();
      const common = { from, interval: 'none', ...(models.length > 0 && { model: [...models] }) } as const;
      const read = (query: UsageQuery) =>
        unwrap(api.GET('/usage', { params: { query: { ...common, ...query } }, signal }));
      const used = new Map<string | undefined, UsageTotals>();
      if (keyIds === undefined) {
        const [group] = (await read({ groupBy: 'none' })).groups;
        return group === undefined ? used : used.set(undefined, group.totals);
      }
      for (let first = 0; first < keyIds.length; first += maxValues) {
        const { groups } = await read({ groupBy: 'apiKey', apiKeyId: keyIds.slice(first, first + maxValues) });
        for (const { apiKey, totals } of groups) used.set(apiKey?.id, totals);
      }
      return used;
    },
    staleTime: staleMilliseconds,
  });
}
