import { useMutation } from '@tanstack/react-query';
import { notifyFailed } from '../lib/notify.js';
import { session } from './session.js';

/** Signs out here and in the other windows; the page is left when it has worked. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => session.signOut(),
    onError: ({ message }) => notifyFailed(`You are still signed in. ${message}`),
  });
}
