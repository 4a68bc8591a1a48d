import { queryOptions } from '@tanstack/react-query';
import { countOf } from '../../../lib/format-numbers.js';
import { requestReport } from '../usage.js';

/** How many requests a key has made in the last day, in words. */
export function lastDayQuery(apiKeyId: string) {
  return queryOptions({
    queryKey: ['usage', 'last-day', apiKeyId],
    queryFn: async ({ signal }) => {
      const report = await requestReport({ apiKeyId, interval: 'none', groupBy: 'none' }, signal);
      const count = report.groups[0]?.totals.requests ?? 0;
      return count === 0 ? 'no requests' : countOf(count, 'request');
    },
  });
}
