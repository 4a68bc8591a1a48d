import type { EntityManager } from 'typeorm';
import { AppError } from '../common/errors/app-error.js';

interface NewSecret {
  /** SHA-256, 32 bytes. */
  hash: Buffer;
  hint: string;
  /** How long the secret that it replaces is accepted beside it; 0: no longer. */
  gracePeriodSeconds: number;
}

/**
 * Puts a new secret in the place of the key's present one, which becomes the former one or, without a grace period,
 * ends. There is room for one former secret only, so that at most two are ever accepted.
 *
 * @throws AppError 409 for a key that has expired: its new secret would be refused like the old one
 */
export async function replaceSecret(manager: EntityManager, id: string, secret: NewSecret): Promise<void> {
  const [, replaced] = await manager.query<[rows: unknown[], count: number]>(
    `update api_keys set
       previous_key_hash = case when $4::integer > 0 then key_hash end,
       previous_key_expires_at =
         case when $4::integer > 0 then least(clock_timestamp() + $4::integer * interval '1 second', expires_at) end,
       key_hash = $2, hint = $3, updated_at = clock_timestamp()
     where id = $1 and (expires_at is null or expires_at > clock_timestamp())`,
    [id, secret.hash, secret.hint, secret.gracePeriodSeconds],
  );
  if (replaced === 0) throw new AppError('api-key-expired', 'The API key has expired; create a new one.');
}
