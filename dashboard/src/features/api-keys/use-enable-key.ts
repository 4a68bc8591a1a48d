import { useMutation } from '@tanstack/react-query';
import { notifyDone, notifyFailed } from '../../lib/notify.js';
import { enabledSubject, type ListedApiKey, setEnabled } from '../../common/api-keys/api-keys.js';
import type { ApiKeyAction } from './key-actions.js';

/**
 * Enables a disabled key and says so. Unlike disabling it, that needs no confirmation, unless the key leaked.
 *
 * @param onAction opens the confirmation
 */
export function useEnableKey(
  apiKey: ListedApiKey,
  onAction: (action: ApiKeyAction) => void,
): { enable: () => void; isPending: boolean } {
  const { id, name, leakedAt } = apiKey;
  const { mutate, isPending } = useMutation({
    mutationFn: () => setEnabled(id, true),
    onSuccess: () => notifyDone(`${name} enabled.`, enabledSubject(id)),
    onError: ({ message }) => notifyFailed(message),
  });
  return { enable: () => (leakedAt === undefined ? mutate() : onAction({ kind: 'enable', apiKey })), isPending };
}
