import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reachability } from './api/reachability.js';
import { ServiceError } from './api/service-error.js';
import { meQuery } from './session/me.js';

const retries = 2;

/** What the service has answered, kept while it is fresh. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({ onError: noteRefusal }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < retries && error instanceof ServiceError && isPassing(error),
    },
  },
});

/** What may go better the next time: everything else the service has decided. */
function isPassing({ status }: ServiceError): boolean {
  return status === 0 || status >= 500;
}

/** A permission was taken away meanwhile: then the pages show at once what is left. */
function noteRefusal(error: Error): void {
  if (error instanceof ServiceError && error.code === 'missing-permission') {
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  }
}

reachability.subscribe(() => {
  if (reachability.get() === 'reachable') void queryClient.invalidateQueries();
});
