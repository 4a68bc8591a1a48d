import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';

/** Deleted keys whose last or an earlier name contains the text, or with this id. */
export function deletedKeysQuery(search: string) {
  const query = { search, state: 'deleted' } as const;
  return queryOptions({
    queryKey: ['audit-events', 'deleted-keys', search],
    queryFn: ({ signal }) => unwrap(api.GET('/audit-events/api-keys', { params: { query }, signal })),
  });
}
