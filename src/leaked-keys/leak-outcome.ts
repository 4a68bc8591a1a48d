import type { LeakedSecret, OnLeak } from '../common/rules/leak-rules.js';

/** A secret of an API key that was reported. */
export interface ReportedSecret {
  /** SHA-256 of the secret, hexadecimal. */
  hash: string;
  apiKeyId: string;
  organizationId: string;
  /** Of the key; null if it was deleted long ago. */
  name: string | null;
  secret: LeakedSecret;
  /** Whether the key still has the secret. */
  exists: boolean;
  isEnabled: boolean;
  isUnexpired: boolean;
  onLeak: OnLeak;
  /** Number of places where the secret was found before. */
  places: number;
}

/** What a report did to a key. `unchanged` means that the secret still works. */
export type LeakOutcome = 'disabled' | 'deleted' | 'previous-secret-revoked' | 'unchanged' | 'already-rejected';

/**
 * What to do with a reported secret. A key is deleted even if it is disabled or has expired, and disabled even if it has
 * expired, because someone could enable or extend it. If only the previous secret leaked, the current one is safe.
 */
export function outcomeOf({ secret, exists, isEnabled, isUnexpired, onLeak }: ReportedSecret): LeakOutcome {
  if (!exists) return 'already-rejected';
  if (onLeak === 'notify') return isEnabled && isUnexpired ? 'unchanged' : 'already-rejected';
  if (secret === 'previous') return isUnexpired ? 'previous-secret-revoked' : 'already-rejected';
  if (onLeak === 'delete') return 'deleted';
  return isEnabled ? 'disabled' : 'already-rejected';
}
