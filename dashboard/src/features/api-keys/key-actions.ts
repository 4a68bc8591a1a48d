import type { ListedApiKey } from './api-keys.js';

/** Explains why the rotate action is disabled. */
export const rotationDisabledReason = "You can't rotate an expired key.";

/** An action the user chose for a key. */
export interface ApiKeyAction {
  kind: 'rename' | 'rotate' | 'delete';
  apiKey: ListedApiKey;
}

/** Whether a key has expired; `now` is in milliseconds since 1970. */
export function isExpired({ expiresAt }: Pick<ListedApiKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
