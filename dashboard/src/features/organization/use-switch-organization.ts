import { notifyManager, useIsMutating, useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { clearNotifications, notifyDone, notifyFailed } from '../../lib/notify.js';
import { focusMain } from '../../lib/restore-focus.js';
import { queryClient } from '../../query-client.js';
import { meQuery } from '../../session/me.js';
import { session } from '../../session/session.js';

const mutationKey = ['switch-organization'];

interface Switch {
  organizationId: string;
  /** Shown afterwards. */
  message?: string;
}

/** Switches to another organization and clears all data and messages of the previous one. */
export function useSwitchOrganization(): { switchTo: (to: Switch) => void; isPending: boolean } {
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationKey,
    // Runs switches one after another, so that the last one wins.
    scope: { id: 'switch-organization' },
    mutationFn: async ({ organizationId }: Switch) => {
      await session.switchTo(await unwrap(api.POST('/auth/switch-organization', { body: { organizationId } })));
      return unwrap(api.GET('/auth/me'));
    },
    onSuccess: async (me, { message }) => {
      clearNotifications();
      // Batched, so that data of one organization never appears under the name of another.
      notifyManager.batch(() => {
        queryClient.setQueryData(meQuery.queryKey, me);
        void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
      });
      if (message !== undefined) notifyDone(message);
      await navigate({ to: '/dashboard' });
      // Otherwise it would be lost with the menu that fades out, or the button that was disabled while switching.
      focusMain();
    },
    onError: ({ message }) => {
      void refresh('organizations');
      notifyFailed(message);
    },
  });
  return { switchTo: mutate, isPending: useIsMutating({ mutationKey }) > 0 };
}
