import type { EntityManager } from 'typeorm';
import type { Actor, Principal } from '../access/principal.js';
import { invalidField, notFound, organizationDeleted, senderRemoved } from '../common/errors/app-error.js';
import { currentTime } from '../database/clock.js';
import { ApiKey } from './api-key.entity.js';

/**
 * Locks the organization's settings until the transaction ends, so that every key respects those that changed before.
 * Changes of an organization lock its keys as well, so lock it before a key; otherwise both changes could deadlock.
 *
 * @throws AppError 401 if the organization was deleted
 */
export async function lockOrganization(
  manager: EntityManager,
  organizationId: string,
): Promise<{ isLimited: boolean }> {
  const [organization] = await manager.query<{ isLimited: boolean }[]>(
    'select limits is not null as "isLimited" from organizations where id = $1 and deleted_at is null for share',
    [organizationId],
  );
  if (organization === undefined) throw organizationDeleted();
  return organization;
}

/**
 * Locks a key of the principal's organization until the transaction ends.
 *
 * @throws AppError 404 for an unknown or foreign id
 */
export async function lockApiKey(manager: EntityManager, { organizationId }: Principal, id: string): Promise<ApiKey> {
  const key = await manager.findOne(ApiKey, { where: { id, organizationId }, lock: { mode: 'pessimistic_write' } });
  if (key === null) throw notFound('API key');
  return key;
}

/**
 * Checks that the creator of a key wasn't removed while the request waited for `lockOrganization`. Their keys may have been
 * deleted then, and this one would stay.
 *
 * @throws AppError 401
 */
export async function checkCreator(manager: EntityManager, { kind, id, organizationId }: Actor): Promise<void> {
  const isProgram = kind === 'service-account';
  const [found] = await manager.query<unknown[]>(
    `select from ${isProgram ? 'service_accounts where id' : 'memberships where user_id'} = $1 and organization_id = $2`,
    [id, organizationId],
  );
  if (found === undefined) throw senderRemoved(kind);
}

/** A requested expiry, checked by the database's clock. */
interface ExpiryCheck {
  isInFuture: boolean | null;
  isWithinLimit: boolean | null;
  longestKeyLifetimeDays: number | null;
  /** The latest expiry allowed now; null means no limit. */
  latest: Date | null;
}

/**
 * Rejects an expiry that isn't in the future, or beyond the limit of the locked organization.
 *
 * @throws AppError 400 that names the limit
 */
export async function checkExpiry(
  manager: EntityManager,
  organizationId: string,
  expiresAt: Date | undefined,
): Promise<void> {
  const [check] = await manager.query<ExpiryCheck[]>(
    `select $2::timestamptz > ${currentTime} as "isInFuture",
       $2::timestamptz <= ${currentTime} + longest_key_lifetime_days * interval '24 hours' as "isWithinLimit",
       longest_key_lifetime_days as "longestKeyLifetimeDays",
       ${currentTime} + longest_key_lifetime_days * interval '24 hours' as latest
     from organizations where id = $1`,
    [organizationId, expiresAt ?? null],
  );
  if (check?.isInFuture === false) throw invalidField('expiresAt', 'expiresAt must be in the future.');
  if (check === undefined || check.latest === null || check.isWithinLimit === true) return;
  const days = check.longestKeyLifetimeDays === 1 ? '1 day' : `${check.longestKeyLifetimeDays} days`;
  const requirement = expiresAt === undefined ? 'is required and must' : 'must';
  throw invalidField(
    'expiresAt',
    `expiresAt ${requirement} be at most ${check.latest.toISOString()}. Keys in this organization expire within ${days}.`,
  );
}

/**
 * Deletes keys with their latest requests, and keeps their names, hints, tags and creators for usage reports. Once the
 * transaction is committed, call `deleteCountersOfDeletedKeys`.
 */
export async function deleteApiKeys(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await manager.query(
    `with deleted as (
       delete from api_keys where id = any ($1::uuid[])
       returning id, organization_id, name, hint, tags, created_by_id, created_by_service_account_id
     ), failures as (
       delete from failed_requests where api_key_id = any ($1::uuid[])
     ), requests as (
       delete from request_chunks where api_key_id = any ($1::uuid[])
     )
     insert into deleted_api_keys (id, organization_id, name, hint, tags, created_by_id, created_by_service_account_id)
     select id, organization_id, name, hint, tags, created_by_id, created_by_service_account_id from deleted`,
    [ids],
  );
}
