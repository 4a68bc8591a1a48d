import { queryOptions } from '@tanstack/react-query';
import { monthAt } from '../../../lib/time-zone.js';
import { requestReport } from '../usage.js';
import { noUsage } from '../usage-totals.js';

/** The organization's usage in the current calendar month, which starts in its time zone, like its budgets. */
export function monthUsageQuery(timeZone: string) {
  return queryOptions({
    queryKey: ['usage', 'month', timeZone],
    queryFn: async ({ signal }) => {
      const now = Date.now();
      const month = monthAt(timeZone, now);
      const query = {
        from: new Date(month.start).toISOString(),
        to: new Date(now).toISOString(),
        interval: 'day',
        timeZone,
      } as const;
      const { groups, currency } = await requestReport(query, signal);
      return { totals: groups[0]?.totals ?? noUsage, currency, month, now };
    },
  });
}
