import { createStore } from '../../api/store.js';

const token = createStore<string | undefined>(undefined);

/** The secret in a password reset link, in memory only: neither the URL nor the browser's storage keeps it. */
export const resetToken = {
  ...token,

  /** Keeps the token of a fragment such as `token=…`; false when it has none. */
  take(fragment: string): boolean {
    const found = new URLSearchParams(fragment).get('token');
    if (found === null || found === '') return false;
    token.set(found);
    return true;
  },
};
