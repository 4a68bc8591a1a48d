import { notifyManager, useIsMutating, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { notifyFailed } from '../../lib/notify.js';
import { firstAllowedPage } from '../../layout/navigation.js';
import { queryClient } from '../../query-client.js';
import { meQuery } from '../../session/me.js';
import { session } from '../../session/session.js';

const mutationKey = ['switch-organization'];

/** Turns to another organization, by its id. Nothing of the one before stays on the page. */
export function useSwitchOrganization(): { enter: (organizationId: string) => void; isPending: boolean } {
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationKey,
    // Two switches take turns, wherever they were asked for: the one asked for last is the one that stays.
    scope: { id: 'switch-organization' },
    mutationFn: async (organizationId: string) => {
      await session.switchTo(await unwrap(api.POST('/auth/switch-organization', { body: { organizationId } })));
      return unwrap(api.GET('/auth/me'));
    },
    onSuccess: async (me) => {
      // In one step, so that the rows of one organization never stand under the name of the other.
      notifyManager.batch(() => {
        queryClient.setQueryData(meQuery.queryKey, me);
        void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
      });
      await navigate({ to: firstAllowedPage(me.permissions) });
    },
    onError: ({ message }) => {
      void refresh('organizations');
      notifyFailed(message);
    },
  });
  return { enter: mutate, isPending: useIsMutating({ mutationKey }) > 0 };
}
