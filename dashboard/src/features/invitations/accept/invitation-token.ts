import { createStore } from '../../../api/store.js';

const token = createStore<string | undefined>(undefined);

/** The secret in the link of an invitation, in memory only: the address and the storage of the browser hold none. */
export const invitationToken = {
  ...token,

  /** Keeps the token of a fragment such as `token=…`; false when it has none. */
  take(fragment: string): boolean {
    const found = new URLSearchParams(fragment).get('token');
    if (found === null || found === '') return false;
    token.set(found);
    return true;
  },
};
