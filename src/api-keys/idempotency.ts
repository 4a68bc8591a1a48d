import { createHash } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../access/principal.js';
import { AppError } from '../common/errors/app-error.js';
import { currentTime } from '../database/clock.js';

/** A request with an `Idempotency-Key`. */
interface IdempotentRequest {
  /** The header. */
  key: string;
  /** Each route has its own keys. */
  route: string;
  body: object;
  /** The API key that the request creates or rotates. */
  apiKeyId: string;
}

/** How many expired rows one request deletes at most. */
const deletedRows = 100;

/**
 * Remembers the request for 24 hours if its transaction commits. A concurrent duplicate waits here for that, so exactly
 * one of them succeeds, and one that fails can be repeated.
 *
 * @param manager of the transaction that creates or rotates the API key
 * @throws AppError 409 that names the API key of an earlier request with the same `Idempotency-Key`
 */
export async function claimIdempotencyKey(
  manager: EntityManager,
  { organizationId, id: principalId }: Principal,
  { key, route, body, apiKeyId }: IdempotentRequest,
): Promise<void> {
  const hash = sha256([organizationId, principalId, route, key]);
  const bodyHash = sha256(body);
  await manager.query(
    `delete from idempotency_keys where hash in (
       select hash from idempotency_keys where expires_at <= ${currentTime}
        order by expires_at limit ${deletedRows} for update skip locked)`,
  );
  const [claimed] = await manager.query<unknown[]>(
    `insert into idempotency_keys as existing (hash, organization_id, body_hash, api_key_id, expires_at)
     values ($1, $2, $3, $4, ${currentTime} + interval '24 hours')
     on conflict (hash) do update
       set body_hash = excluded.body_hash, api_key_id = excluded.api_key_id, expires_at = excluded.expires_at
       where existing.expires_at <= ${currentTime}
     returning hash`,
    [hash, organizationId, bodyHash, apiKeyId],
  );
  if (claimed === undefined) throw await alreadyUsed(manager, hash, bodyHash);
}

async function alreadyUsed(manager: EntityManager, hash: Buffer, bodyHash: Buffer): Promise<AppError> {
  const [earlier] = await manager.query<{ apiKeyId: string; hasSameBody: boolean }[]>(
    'select api_key_id as "apiKeyId", body_hash = $2 as "hasSameBody" from idempotency_keys where hash = $1',
    [hash, bodyHash],
  );
  if (earlier === undefined) throw new Error('The row that caused the conflict is missing.');
  const { apiKeyId, hasSameBody } = earlier;
  const request = hasSameBody ? 'An earlier request' : 'An earlier request with a different body';
  const detail = `${request} used this Idempotency-Key for the API key ${apiKeyId}. If you lost its secret, rotate that key with a new Idempotency-Key.`;
  return new AppError('idempotency-key-reused', detail, { apiKeyId });
}

function sha256(value: object): Buffer {
  return createHash('sha256').update(JSON.stringify(value)).digest();
}
