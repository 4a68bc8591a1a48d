import type { ListedApiKey } from '../../common/api-keys/api-keys.js';
import { isExpired } from '../../common/api-keys/is-expired.js';
import { leakedSecretOf } from './leaked-secret.js';

/** Explains why the rotate action is disabled. */
export const rotationDisabledReason = "You can't rotate an expired key. Change its expiry first.";

/** An action the user chose for a key. */
export interface ApiKeyAction {
  kind: 'rename' | 'restrict' | 'expiry' | 'rotate' | 'disable' | 'enable' | 'leak' | 'delete';
  apiKey: ListedApiKey;
}

const dayMilliseconds = 24 * 3600 * 1000;
const expiringDays = 7;
const unusedDays = 90;

/** What deserves attention about a key at `now`, in milliseconds since 1970; undefined if nothing does. */
export function stateOf(
  apiKey: ListedApiKey,
  now: number,
): 'leaked' | 'leaked-disabled' | 'disabled' | 'expired' | 'expiring' | 'unused' | undefined {
  const { enabled, expiresAt, lastUsedAt, createdAt, leakedAt } = apiKey;
  if (leakedAt !== undefined && !isExpired(apiKey, now)) return enabled === false ? 'leaked-disabled' : 'leaked';
  if (enabled === false) return 'disabled';
  if (isExpired(apiKey, now)) return 'expired';
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now + expiringDays * dayMilliseconds) return 'expiring';
  return Date.parse(lastUsedAt ?? createdAt) <= now - unusedDays * dayMilliseconds ? 'unused' : undefined;
}

/** Whether reporting a leak would change nothing: the key's current secret was reported, and is rejected. */
export function isLeakHandled(apiKey: Parameters<typeof leakedSecretOf>[0]): boolean {
  return leakedSecretOf(apiKey) === 'rejected';
}
