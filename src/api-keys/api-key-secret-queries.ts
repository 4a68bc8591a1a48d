import type { EntityManager } from 'typeorm';
import { AppError } from '../common/errors/app-error.js';
import { currentTime } from '../database/clock.js';

interface NewSecret {
  /** SHA-256, 32 bytes. */
  hash: Buffer;
  hint: string;
  /** How long the current secret keeps working; 0 revokes it immediately. */
  gracePeriodSeconds: number;
}

/**
 * Replaces the secret of a key. The current secret becomes the previous one, until the grace period ends. A key has one
 * previous secret at most, so an older one is revoked. Forgets leaks of revoked secrets.
 *
 * @throws AppError 409 for an expired key, whose new secret would be rejected as well
 */
export async function replaceSecret(
  manager: EntityManager,
  { id, name }: { id: string; name: string },
  secret: NewSecret,
): Promise<void> {
  const [, replaced] = await manager.query<[rows: unknown[], count: number]>(
    `update api_keys set
       previous_secret_hash = case when $4::integer > 0 then secret_hash end,
       previous_secret_expires_at =
         case when $4::integer > 0 then least(${currentTime} + $4::integer * interval '1 second', expires_at) end,
       previous_secret_hint = case when $4::integer > 0 then hint end,
       previous_secret_last_used_at = case when $4::integer > 0 then last_used_at end,
       leaked_at = case when $4::integer > 0 and leaked_secret = 'current' then leaked_at end,
       leaked_url = case when $4::integer > 0 and leaked_secret = 'current' then leaked_url end,
       leaked_source = case when $4::integer > 0 and leaked_secret = 'current' then leaked_source end,
       leaked_secret = case when $4::integer > 0 and leaked_secret = 'current' then 'previous' end,
       secret_hash = $2, hint = $3, rotated_at = ${currentTime}, updated_at = ${currentTime}
     where id = $1 and (expires_at is null or expires_at > ${currentTime})`,
    [id, secret.hash, secret.hint, secret.gracePeriodSeconds],
  );
  if (replaced === 0)
    throw new AppError('api-key-expired', `The API key ${name} has expired. Extend it first, or create a new one.`);
}

interface RevokedSecret {
  /** When it would have expired. */
  expiresAt: Date;
  hint: string | null;
}

/** Revokes the previous secret of a key, and forgets that it leaked. Returns undefined if there was none. */
export async function revokePreviousSecret(manager: EntityManager, id: string): Promise<RevokedSecret | undefined> {
  const [rows] = await manager.query<[RevokedSecret[]]>(
    `update api_keys set previous_secret_hash = null, previous_secret_expires_at = null, previous_secret_hint = null,
       previous_secret_last_used_at = null, updated_at = ${currentTime},
       leaked_at = case when leaked_secret = 'current' then leaked_at end,
       leaked_url = case when leaked_secret = 'current' then leaked_url end,
       leaked_source = case when leaked_secret = 'current' then leaked_source end,
       leaked_secret = case when leaked_secret = 'current' then leaked_secret end
     from (
       select previous_secret_expires_at as expires_at, previous_secret_hint as hint from api_keys where id = $1
     ) as previous
     where id = $1 and previous.expires_at > ${currentTime}
     returning previous.expires_at as "expiresAt", previous.hint`,
    [id],
  );
  return rows[0];
}

/**
 * Disables a key, revokes its previous secret, and notes that it leaked. Keeps what an earlier report noted. Rotating the
 * key then revokes the current secret without a grace period.
 */
export async function revokeLeakedKey(manager: EntityManager, id: string, source: string): Promise<void> {
  await manager.query(
    `update api_keys set enabled = false, updated_at = ${currentTime},
       previous_secret_hash = null, previous_secret_expires_at = null, previous_secret_hint = null,
       previous_secret_last_used_at = null,
       leaked_at = case when leaked_secret = 'current' then leaked_at else ${currentTime} end,
       leaked_url = case when leaked_secret = 'current' then leaked_url end,
       leaked_source = case when leaked_secret = 'current' then leaked_source else $2 end,
       leaked_secret = 'current'
     where id = $1`,
    [id, source],
  );
}

/** Ends the grace period of the previous secret with the key. */
export async function shortenGracePeriod(manager: EntityManager, id: string): Promise<void> {
  await manager.query(
    `update api_keys set previous_secret_expires_at = expires_at where id = $1 and previous_secret_expires_at > expires_at`,
    [id],
  );
}
