import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.js';
import { unwrap } from '../api/service-error.js';
import type { PermissionName } from './me.js';

/** All permissions, with descriptions. */
export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: ({ signal }) => unwrap(api.GET('/permissions', { signal })),
  staleTime: Infinity,
});

/** Returns a function that names permissions like the Roles page, such as "List API keys". */
export function usePermissionLabels(): (name: PermissionName) => string {
  const { data } = useQuery(permissionsQuery);
  return (name) => data?.permissions.find((permission) => permission.name === name)?.description ?? name;
}
