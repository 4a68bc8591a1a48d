import type { EntityManager } from 'typeorm';
import { invalidField } from '../common/errors/app-error.js';

/** What the database's clock says of an expiry that was asked for. */
interface Verdict {
  isInFuture: boolean | null;
  isWithinLimit: boolean | null;
  longestKeyLifetimeDays: number | null;
  /** The latest expiry that the organization allows now; null without a limit. */
  latest: Date | null;
}

/**
 * Refuses an expiry that is not in the future, or beyond the longest lifetime that the organization allows. Its
 * setting cannot change until the transaction has ended: whoever lowers it can rely on it for every later key.
 *
 * @throws AppError 400 that names the limit
 */
export async function checkExpiry(
  manager: EntityManager,
  organizationId: string,
  expiresAt: Date | undefined,
): Promise<void> {
  const [verdict] = await manager.query<Verdict[]>(
    `select $2::timestamptz > clock_timestamp() as "isInFuture",
       $2::timestamptz <= clock_timestamp() + longest_key_lifetime_days * interval '24 hours' as "isWithinLimit",
       longest_key_lifetime_days as "longestKeyLifetimeDays",
       clock_timestamp() + longest_key_lifetime_days * interval '24 hours' as latest
     from organizations where id = $1 for share`,
    [organizationId, expiresAt ?? null],
  );
  if (verdict?.isInFuture === false) throw invalidField('expiresAt', 'expiresAt must be in the future');
  if (verdict === undefined || verdict.latest === null || verdict.isWithinLimit === true) return;
  const limit = `keys of this organization live at most ${verdict.longestKeyLifetimeDays} days`;
  throw invalidField(
    'expiresAt',
    expiresAt === undefined
      ? `expiresAt is required: ${limit}, now until ${verdict.latest.toISOString()}`
      : `expiresAt must be at most ${verdict.latest.toISOString()}: ${limit}`,
  );
}
