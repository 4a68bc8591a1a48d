import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { foldText, foldTextSql } from '../common/validation/fold-text.js';
import { currentTime } from '../database/clock.js';
import { ApiKey } from './api-key.entity.js';
import { type ApiKeyTagListDto, maxListedTags } from './dto/api-key-tags.dto.js';
import type { ListApiKeysQueryDto } from './dto/list-api-keys-query.dto.js';
import { keysKnownToFormerMembers } from './known-to-former-members.js';

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
  { id, name, exactName, hint, tag, state, creatorId, rotatedById }: ListApiKeysQueryDto,
  creatorColumn: CreatorColumn | undefined,
): SelectQueryBuilder<ApiKey> {
  const keys = manager
    .createQueryBuilder(ApiKey, 'key')
    .where('key.organizationId = :organizationId', { organizationId });
  if (id !== undefined) keys.andWhere('key.id = any(:keyIds)', { keyIds: id });
  // Unlike LIKE, strpos has no wildcards.
  if (name) keys.andWhere('strpos(key.foldedName, :name) > 0', { name: foldText(name) });
  if (exactName) keys.andWhere('key.foldedName = :exactName', { exactName: foldText(exactName) });
  if (hint !== undefined) keys.andWhere(`(key.hint = :hint or ${hasPreviousHint})`, { hint });
  if (tag !== undefined) keys.andWhere('key.tags @> array[:tag]', { tag });
  if (state !== undefined) keys.andWhere(`(${conditions[state]})`);
  if (creatorColumn !== undefined) keys.andWhere(`key.${creatorColumn} = :creatorId`, { creatorId });
  if (rotatedById !== undefined) keys.andWhere(wasRotatedBy, { rotatedById });
  return keys;
}

/**
 * The audit log has the first characters of the secret that each rotation made. Unlike `clock_timestamp()`, `now()` lets
 * PostgreSQL join the events.
 */
const wasRotatedBy = `
  key.createdById is distinct from :rotatedById and key.createdByServiceAccountId is distinct from :rotatedById
  and exists (
    select from audit_events as event
    where event.organization_id = :organizationId and event.actor_id = :rotatedById
      and event.action = 'api-key.rotate' and event.target_id = key.id
      and (event.target_hint = key.hint
        or event.target_hint = key.previousSecretHint and key.previousSecretExpiresAt > now())
  )`;

const hasPreviousHint = `key.previousSecretHint = :hint and key.previousSecretExpiresAt > ${currentTime}`;

const isActive = `key.enabled and (key.expiresAt is null or key.expiresAt > ${currentTime})`;

const conditions = {
  active: isActive,
  disabled: 'not key.enabled',
  expired: `key.expiresAt <= ${currentTime}`,
  expiring: `${isActive} and not key.deleteWhenExpired and key.expiresAt <= ${currentTime} + interval '7 days'`,
  leaked: `key.leakedSecret = 'current' or key.leakedSecret = 'previous' and key.previousSecretExpiresAt > ${currentTime}`,
  unused: `${isActive} and coalesce(key.lastUsedAt, key.createdAt) <= ${currentTime} - interval '90 days'`,
  'known-to-former-members': `key.id in (select id from (${keysKnownToFormerMembers}) as known)`,
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
