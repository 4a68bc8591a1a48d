import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { queryClient } from '../../query-client.js';

const refetchMilliseconds = 30_000;

/** The state of the current organization. Refetched while it's visible. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => unwrap(api.GET('/overview', { signal })),
  refetchInterval: refetchMilliseconds,
  // Any page may have changed something that it shows.
  staleTime: 0,
});

/** Requests the overview while its page is loaded. */
export function preloadOverview(): void {
  void queryClient.prefetchQuery(overviewQuery);
}
