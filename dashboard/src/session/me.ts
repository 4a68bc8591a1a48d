import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../api/api.js';
import type { Me } from '../api/schema.js';
import { unwrap } from '../api/service-error.js';

/** What somebody can be allowed to do. */
export type PermissionName = Me['permissions'][number];

/** Who is signed in, for which organization, and what they may do there. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => unwrap(api.GET('/auth/me')),
  staleTime: 60_000,
  // Somebody may have been given another role while they looked at something else.
  refetchOnWindowFocus: 'always',
});

/** Who is signed in; only for pages that come after the session was found. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether the signed-in user may do it. The service refuses it all the same. */
export function usePermission(permission: PermissionName): boolean {
  return useMe().permissions.includes(permission);
}
