import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';

/** The user's organizations. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: () => unwrap(api.GET('/organizations')),
});
