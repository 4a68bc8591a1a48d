import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';

/** Id of the section on the page of a key. */
export const failedRequestsSection = 'failed-requests';

/** The latest failed requests of a key. */
export function failedRequestsQuery(id: string) {
  return queryOptions({
    queryKey: ['usage', 'failed-requests', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys/{id}/failures', { params: { path: { id } }, signal })),
  });
}
