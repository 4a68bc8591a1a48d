import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { limitsInterval } from '../../api/refetch-interval.js';

/** The user's organizations. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: () => unwrap(api.GET('/organizations')),
});

/** The current organization with its limits. */
export const currentOrganizationQuery = queryOptions({
  queryKey: ['organizations', 'current'],
  queryFn: ({ signal }) => unwrap(api.GET('/organizations/current', { signal })),
  refetchInterval: ({ state: { data } }) => limitsInterval(data),
});
