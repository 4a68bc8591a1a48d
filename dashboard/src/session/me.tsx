import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
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

const MeContext = createContext<Me | undefined>(undefined);

/** Provides `useMe`, so that the many rows of a table don't each observe the query. Only behind `requireSession`. */
export function MeProvider({ children }: { children: ReactNode }) {
  return <MeContext value={useSuspenseQuery(meQuery).data}>{children}</MeContext>;
}

/** Returns the signed-in user. Only inside `MeProvider`. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === undefined) throw new Error('useMe was called outside of MeProvider.');
  return me;
}

/** Whether the signed-in user has a permission. The service checks it, too. */
export function usePermission(permission: PermissionName): boolean {
  return useMe().permissions.includes(permission);
}
