import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/public-api.js';
import { unwrap } from '../../api/service-error.js';

/** The ways to sign in that are open here. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => unwrap(publicApi.GET('/auth/methods')),
  staleTime: Infinity,
});
