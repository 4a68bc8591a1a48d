import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reachability } from './api/reachability.js';
import { ServiceError } from './api/service-error.js';
import { meQuery } from './session/me.js';

const retries = 2;

/** Caches responses of the service. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: refreshPermissions }),
  mutationCache: new MutationCache({ onError: refreshPermissions }),
  defaultOptions: {
    // Otherwise requests wait until the browser is online. Keycard on this machine doesn't need a network, and a change
    // that is sent minutes later comes as a surprise.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      // Long enough for the parts of a page to share a response, but opening a page shows what has happened since.
      staleTime: 1000,
      retry: (failures, error) => failures < retries && error instanceof ServiceError && isTemporary(error),
    },
  },
});

/** Whether a retry may succeed. */
function isTemporary({ status }: ServiceError): boolean {
  return status === 0 || status >= 500;
}

/** A permission was revoked: hides what the user can no longer use. */
function refreshPermissions(error: Error): void {
  if (error instanceof ServiceError && error.code === 'missing-permission') {
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  }
}

reachability.subscribe(() => {
  if (reachability.get() === 'reachable') void queryClient.invalidateQueries();
});
