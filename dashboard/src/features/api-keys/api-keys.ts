import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import type { ApiKeysSearch } from './search.js';

/** A page of the organization's keys. While another page loads, the one before stays. */
export function apiKeysQuery(search: ApiKeysSearch) {
  return queryOptions({
    queryKey: ['api-keys', search],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { params: { query: search }, signal })),
    placeholderData: keepPreviousData,
  });
}
