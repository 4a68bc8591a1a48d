import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { pluralize } from '../../lib/format-numbers.js';

/** The number of requests made with a key in the last 24 hours, as text. */
export function lastDayQuery(apiKeyId: string) {
  return queryOptions({
    queryKey: ['usage', 'last-day', apiKeyId],
    queryFn: async ({ signal }) => {
      const { requests } = await requestLastDay(apiKeyId, signal);
      return requests === 0 ? 'no requests' : pluralize(requests, 'request');
    },
  });
}

/** The number of requests made with a key since about a time, and since when exactly: usage is counted by hour or day. */
export function usageSinceQuery(apiKeyId: string, time: string) {
  return queryOptions({
    queryKey: ['usage', 'since', apiKeyId, time],
    queryFn: async ({ signal }) => {
      const query = { apiKeyId: [apiKeyId], from: time, interval: 'none' as const, groupBy: 'none' as const };
      const { from, groups } = await unwrap(api.GET('/usage', { params: { query }, signal }));
      return { from, requests: groups[0]?.totals.requests ?? 0 };
    },
  });
}

/** Whether a request with a key succeeded in the last 24 hours, other than requests for lists of models. */
export function hasSucceededQuery(apiKeyId: string) {
  return queryOptions({
    queryKey: ['usage', 'has-succeeded', apiKeyId],
    queryFn: async ({ signal }) => {
      const { requests, failures } = await requestLastDay(apiKeyId, signal);
      return requests > failures;
    },
  });
}

async function requestLastDay(apiKeyId: string, signal: AbortSignal): Promise<{ requests: number; failures: number }> {
  const query = { apiKeyId: [apiKeyId], interval: 'none' as const, groupBy: 'none' as const };
  const { groups } = await unwrap(api.GET('/usage', { params: { query }, signal }));
  return groups[0]?.totals ?? { requests: 0, failures: 0 };
}
