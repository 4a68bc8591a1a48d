import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api } from '../api/api.js';
import type { Me } from '../api/schema.js';
import { unwrap } from '../api/service-error.js';
import { session } from './session.js';

/** A permission of a role. */
export type PermissionName = Me['permissions'][number];

/** The signed-in user, their organization, role and permissions. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => session.takeDescribedUser() ?? (await unwrap(api.GET('/auth/me'))),
  staleTime: 60_000,
  // The user's role may have changed while they were away.
  refetchOnWindowFocus: 'always',
});

/** Returns the signed-in user. Only for pages behind `requireSession`. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether the signed-in user has a permission. The service checks it, too. */
export function usePermission(permission: PermissionName): boolean {
  return useMe().permissions.includes(permission);
}
