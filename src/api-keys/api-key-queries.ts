import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { AppError, invalidField, organizationDeleted } from '../common/errors/app-error.js';
import { foldText, foldTextSql } from '../common/validation/fold-text.js';
import { currentTime } from '../database/clock.js';
import { ApiKey } from './api-key.entity.js';
import { type ApiKeyTagListDto, type ListApiKeysQueryDto, maxListedTags } from './dto/api-key.dto.js';

/** Finds a key with its creator. The fields of its previous secret are null once that has expired. */
export async function findApiKey(
  manager: EntityManager,
  organizationId: string,
  id: string,
): Promise<ApiKey | undefined> {
  const { entities, raw } = await addCreators(manager.createQueryBuilder(ApiKey, 'key'), 'key')
    .addSelect(`key.previousSecretExpiresAt > ${currentTime}`, 'has_previous')
    .where('key.id = :id and key.organizationId = :organizationId', { id, organizationId })
    .getRawAndEntities<{ has_previous: boolean | null }>();
  const [key] = entities;
  if (key === undefined || raw[0]?.has_previous === true) return key;
  return Object.assign(key, {
    previousSecretExpiresAt: null,
    previousSecretHint: null,
    previousSecretLastUsedAt: null,
  });
}

/** The number of matching keys in the organization, and those on the page. */
export async function findApiKeysPage(
  manager: EntityManager,
  organizationId: string,
  query: ListApiKeysQueryDto,
): Promise<{ total: number; page: ApiKey[] }> {
  const { creatorId } = query;
  const creator = creatorId === undefined ? undefined : await findCreatorColumn(manager, creatorId);
  const keys = () => matching(manager, organizationId, query, creator);
  const find = query.orderBy === 'creator' ? findPageByCreator : findPage;
  const [total, page] = await Promise.all([keys().getCount(), find(keys(), query)]);
  return { total, page };
}

/**
 * Keys that were never used sort like the least recently used one, and keys that never expire like the last to expire,
 * which is PostgreSQL's default. `lastUsedAt` has no index: with one, each request of a key would write to every index
 * of the table.
 */
const neverUsedIsOldest = { ASC: 'NULLS FIRST', DESC: 'NULLS LAST' } as const;

/** Skips to the page among the ids, which needs the index only, before it reads the rows of the page. */
function findPage(keys: SelectQueryBuilder<ApiKey>, query: ListApiKeysQueryDto): Promise<ApiKey[]> {
  const { page, perPage, order, orderBy, include } = query;
  const field = orderBy === 'name' ? 'foldedName' : orderBy;
  const nulls = orderBy === 'lastUsedAt' ? neverUsedIsOldest[order] : undefined;
  const ids = keys
    .select('key.id', 'id')
    .orderBy(`key.${field}`, order, nulls)
    .addOrderBy('key.id', order)
    .offset((page - 1) * perPage)
    .limit(perPage);
  return selectKeys(keys.connection.manager, include)
    .where(`api_key.id IN (${ids.getQuery()})`)
    .setParameters(ids.getParameters())
    .orderBy(`api_key.${field}`, order, nulls)
    .addOrderBy('api_key.id', order)
    .getMany();
}

/** Sorts by the rank of the creator, because comparing names folds them, and an organization has few creators. */
async function findPageByCreator(keys: SelectQueryBuilder<ApiKey>, query: ListApiKeysQueryDto): Promise<ApiKey[]> {
  const { page, perPage, order, include } = query;
  const found = await keys
    .select('key.id', 'id')
    .addSelect('creator.place', 'place')
    .leftJoin(rankedCreators, 'creator', 'creator.id = coalesce(key.createdById, key.createdByServiceAccountId)')
    .orderBy('place', order)
    .addOrderBy('key.id', order)
    .offset((page - 1) * perPage)
    .limit(perPage)
    .getRawMany<{ id: string }>();
  const ids = found.map(({ id }) => id);
  const rows = await selectKeys(keys.connection.manager, include).where('api_key.id = any(:ids)', { ids }).getMany();
  return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
}

/** SQL for the next creator of the index: reads one entry per creator, however many keys each has. */
const nextCreator = (condition: string) => `
  select created_by_id from api_keys where organization_id = :organizationId and ${condition}
  order by created_by_id limit 1`;

/** The creators of the organization's keys, in the order of their names. */
const rankedCreators = `(
  with recursive ids (id) as (
    (${nextCreator('created_by_id is not null')})
    union all
    select (${nextCreator('created_by_id > ids.id')}) from ids where id is not null
  ), creators as (
    select users.id, name from ids join users using (id)
    union all
    select id, name from service_accounts where organization_id = :organizationId
  )
  select id, row_number() over (order by ${foldTextSql('name')}, id)::integer as place from creators
)`;

function selectKeys(manager: EntityManager, include: ListApiKeysQueryDto['include']): SelectQueryBuilder<ApiKey> {
  const keys = manager.createQueryBuilder(ApiKey, 'api_key');
  return include?.includes('creator') ? addCreators(keys, 'api_key') : keys;
}

function addCreators(keys: SelectQueryBuilder<ApiKey>, alias: string): SelectQueryBuilder<ApiKey> {
  return keys
    .leftJoin(`${alias}.createdBy`, 'creator')
    .addSelect(['creator.id', 'creator.name', 'creator.email'])
    .leftJoin(`${alias}.createdByServiceAccount`, 'account')
    .addSelect(['account.id', 'account.name']);
}

type CreatorColumn = 'createdById' | 'createdByServiceAccountId';

/** The column that has this creator, because no index covers both. */
async function findCreatorColumn(manager: EntityManager, creatorId: string): Promise<CreatorColumn> {
  const [account] = await manager.query<unknown[]>('select from service_accounts where id = $1', [creatorId]);
  return account === undefined ? 'createdById' : 'createdByServiceAccountId';
}

function matching(
  manager: EntityManager,
  organizationId: string,
  { name, exactName, hint, tag, state, creatorId }: ListApiKeysQueryDto,
  creatorColumn: CreatorColumn | undefined,
): SelectQueryBuilder<ApiKey> {
  const keys = manager
    .createQueryBuilder(ApiKey, 'key')
    .where('key.organizationId = :organizationId', { organizationId });
  // Unlike LIKE, strpos has no wildcards.
  if (name) keys.andWhere('strpos(key.foldedName, :name) > 0', { name: foldText(name) });
  if (exactName) keys.andWhere('key.foldedName = :exactName', { exactName: foldText(exactName) });
  if (hint !== undefined) keys.andWhere(`(key.hint = :hint or ${hasPreviousHint})`, { hint });
  if (tag !== undefined) keys.andWhere('key.tags @> array[:tag]', { tag });
  if (state !== undefined) keys.andWhere(`(${conditions[state]})`);
  if (creatorColumn !== undefined) keys.andWhere(`key.${creatorColumn} = :creatorId`, { creatorId });
  return keys;
}

const hasPreviousHint = `key.previousSecretHint = :hint and key.previousSecretExpiresAt > ${currentTime}`;

const isActive = `key.enabled and (key.expiresAt is null or key.expiresAt > ${currentTime})`;

const conditions = {
  active: isActive,
  disabled: 'not key.enabled',
  expired: `key.expiresAt <= ${currentTime}`,
  expiring: `${isActive} and key.expiresAt <= ${currentTime} + interval '7 days'`,
  leaked: `key.leakedSecret = 'current' or key.leakedSecret = 'previous' and key.previousSecretExpiresAt > ${currentTime}`,
  unused: `${isActive} and coalesce(key.lastUsedAt, key.createdAt) <= ${currentTime} - interval '30 days'`,
} satisfies Record<NonNullable<ListApiKeysQueryDto['state']>, string>;

/** The tags of the keys of an organization, those of the most keys first. */
export function findTags(manager: EntityManager, organizationId: string): Promise<ApiKeyTagListDto['tags']> {
  return manager.query(
    `select tag, count(*)::integer as "apiKeyCount" from api_keys cross join unnest(tags) as tag
     where organization_id = $1 and tags <> '{}'
     group by tag order by count(*) desc, tag limit ${maxListedTags}`,
    [organizationId],
  );
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
export async function replaceSecret(manager: EntityManager, id: string, secret: NewSecret): Promise<void> {
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
    throw new AppError('api-key-expired', 'This API key has expired. Extend it first, or create a new one.');
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

/**
 * Deletes keys with their failed requests, and keeps their names, hints, tags and creators for usage reports. Once the transaction is
 * committed, call `deleteCountersOfDeletedKeys`.
 */
export async function deleteApiKeys(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await manager.query(
    `with deleted as (
       delete from api_keys where id = any ($1::uuid[])
       returning id, organization_id, name, hint, tags, created_by_id, created_by_service_account_id
     ), failures as (
       delete from failed_requests where api_key_id = any ($1::uuid[])
     )
     insert into deleted_api_keys (id, organization_id, name, hint, tags, created_by_id, created_by_service_account_id)
     select id, organization_id, name, hint, tags, created_by_id, created_by_service_account_id from deleted`,
    [ids],
  );
}
