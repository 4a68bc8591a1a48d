import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import { isExpired } from '../../../common/api-keys/is-expired.js';

/** A key, kept in memory only. */
export interface PlaygroundKey {
  key: string;
  /** For temporary keys. */
  temporary?: { id: string; /** ISO 8601. */ expiresAt: string };
}

/** The first characters, which identify a key. */
export const hintOfKey = (key: string) => key.slice(0, 8);

/** Why requests with the selected key would be rejected by now; null if they wouldn't. Refetched when keys change. */
export function keyProblemQuery(key: string) {
  return queryOptions({
    queryKey: ['api-keys', 'problem', hintOfKey(key)],
    queryFn: async () => (await checkKeyState(key)) ?? null,
    // Otherwise a key that was enabled again would be rejected.
    gcTime: 0,
  });
}

/**
 * Returns why requests with this key would be rejected, if it isn't a key of this organization, is disabled or has
 * expired. Unlike a request with the key, this doesn't count towards its limits. Only the first characters of the key are
 * sent.
 */
export async function checkKeyState(key: string): Promise<string | undefined> {
  const hint = hintOfKey(key.trim());
  const { apiKeys } = await unwrap(api.GET('/api-keys', { params: { query: { hint, perPage: 1 } } }));
  const [found] = apiKeys;
  if (found === undefined) return `No key of this organization starts with ${hint}. Check the key, or use another one.`;
  if (found.enabled === false) return 'This key is disabled. Enable it, or use another key.';
  return isExpired(found, Date.now()) ? 'This key has expired. Extend it, or use another key.' : undefined;
}

/** Returns an error message if the text can't be a key. Verifying it would spend a request of a limited key. */
export function checkKeyFormat(text: string): string | undefined {
  if (text.trim() === '') return 'Enter an API key.';
  return /^kc_[0-9A-Za-z]{46}$/.test(text.trim())
    ? undefined
    : 'API keys start with kc_ and have 49 characters. Paste the whole key.';
}
