import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../api/public-api.js';
import { unwrap } from '../api/service-error.js';

/** The sign-in methods this installation offers. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => unwrap(publicApi.GET('/auth/methods')),
  staleTime: Infinity,
});
