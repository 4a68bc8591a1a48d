import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';

/** How many requests a key has made in the last day, in words. */
export function lastDayQuery(apiKeyId: string) {
  return queryOptions({
    queryKey: ['usage', 'last-day', apiKeyId],
    queryFn: async ({ signal }) => {
      const query = { apiKeyId, interval: 'none', groupBy: 'none' } as const;
      const report = await unwrap(api.GET('/usage', { params: { query }, signal }));
      if (typeof report === 'string') throw new TypeError('The usage came as a file, which was not asked for.');
      return requestsInWords(report.groups[0]?.totals.requests ?? 0);
    },
  });
}

function requestsInWords(count: number): string {
  if (count === 0) return 'no requests';
  return count === 1 ? '1 request' : `${count.toLocaleString('en')} requests`;
}
