import type { ListedApiKey } from './api-keys.js';

/** Whether a key has expired; `now` is in milliseconds since 1970. */
export function isExpired({ expiresAt }: Pick<ListedApiKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
