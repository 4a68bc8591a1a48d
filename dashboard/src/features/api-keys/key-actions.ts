import type { ListedApiKey } from './api-keys.js';

/** Why the key of such an action cannot be rotated. */
export const rotationRefusal = 'An expired key cannot be rotated.';

/** What was chosen to be done with a key. */
export interface ApiKeyAction {
  kind: 'rename' | 'rotate' | 'delete';
  apiKey: ListedApiKey;
}

/** Whether a key is refused by now; `now` in milliseconds since 1970. */
export function isExpired({ expiresAt }: Pick<ListedApiKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
