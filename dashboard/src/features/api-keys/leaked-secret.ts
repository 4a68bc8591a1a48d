import type { ApiKeyDetails } from '../../api/schema.js';
import type { LeakedSecret } from '../../common/secrets/grace-period.js';

/** What is known of a key's leak, in a list or in detail. */
type ReportedKey = Partial<Pick<ApiKeyDetails, 'enabled' | 'leakedAt' | 'leak'>>;

/**
 * What became of a key's current secret, if it leaked and wasn't rotated since. A rotation revokes it immediately only if
 * it's rejected: otherwise, someone may have chosen to keep it working. Lists don't say which secret leaked, so there
 * it's taken for the current one.
 */
export function leakedSecretOf({ enabled, leakedAt, leak }: ReportedKey): LeakedSecret | undefined {
  if (leakedAt === undefined || leak?.secret === 'previous') return undefined;
  return enabled === false ? 'rejected' : 'accepted';
}
