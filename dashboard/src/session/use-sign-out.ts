import { useMutation } from '@tanstack/react-query';
import { notifyFailed } from '../lib/notify.js';
import { session } from './session.js';

/** Signs out here and in other windows, and leaves the page. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => session.signOut(),
    onError: ({ message }) => notifyFailed(`You're still signed in. ${message}`),
  });
}
