import { useMutation } from '@tanstack/react-query';
import { notifyDone, notifyFailed } from '../../lib/notify.js';
import { enabledSubject, type ListedApiKey, setEnabled } from '../../common/api-keys/api-keys.js';

/** Enables a disabled key and says so. Unlike disabling it, that needs no confirmation. */
export function useEnableKey({ id, name }: ListedApiKey): { enable: () => void; isPending: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: () => setEnabled(id, true),
    onSuccess: () => notifyDone(`${name} enabled.`, enabledSubject(id)),
    onError: ({ message }) => notifyFailed(message),
  });
  return { enable: () => mutate(), isPending };
}
