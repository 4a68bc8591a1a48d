import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import { session } from '../../../session/session.js';

/** Who this browser is signed in as; `null` for nobody. */
export const signedInUserQuery = queryOptions({
  queryKey: ['signed-in-user'],
  queryFn: async () => {
    await session.resume();
    return session.status.get() === 'signed-in' ? (await unwrap(api.GET('/auth/me'))).user : null;
  },
});
