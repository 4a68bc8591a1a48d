import { createStore } from './api/store.js';

/** A one-time token from a link. Kept in memory only, so neither the URL nor the browser's storage holds it. */
function createUrlToken() {
  const token = createStore<string | undefined>(undefined);
  return {
    ...token,

    /** Stores the token from a URL fragment such as `token=…`. Returns false if there is none. */
    take(fragment: string): boolean {
      const found = new URLSearchParams(fragment).get('token');
      if (found === null || found === '') return false;
      token.set(found);
      return true;
    },
  };
}

export const invitationToken = createUrlToken();
export const resetToken = createUrlToken();
