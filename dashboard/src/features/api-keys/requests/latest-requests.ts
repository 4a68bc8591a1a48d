import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import type { ApiKeyRequest } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';

/** Id of the section on the page of a key. */
export const latestRequestsSection = 'latest-requests';

export interface RequestsFilter {
  outcome: ApiKeyRequest['outcome'] | undefined;
  requestId: string | undefined;
  page: number;
  perPage: number;
}

/** The start of the query keys of all pages of a key. */
export const latestRequestsKey = (id: string) => ['usage', 'latest-requests', id] as const;

/** A page of the latest requests of a key. The previous page stays visible while another loads. */
export function latestRequestsQuery(id: string, query: RequestsFilter) {
  return queryOptions({
    queryKey: [...latestRequestsKey(id), query],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys/{id}/requests', { params: { path: { id }, query }, signal })),
    placeholderData: keepPreviousData,
  });
}
