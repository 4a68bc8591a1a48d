import type { Grouping } from './dto/usage-query.dto.js';
import { allKeys } from './history/packed-usage.js';
import { usageColumns } from './usage-columns.js';

/** SQL for the group of a row, as text. */
const groupColumns = {
  apiKey: 'api_key_id::text',
  model: 'model',
  tag: `coalesce(tag, '')`,
  creator: `coalesce(creator::text, '')`,
  none: `''::text`,
} as const satisfies Record<Grouping, string>;

/** What groups are found by: ids, because comparing text would take longer. */
export const groupKeys = { ...groupColumns, apiKey: 'api_key_id', creator: 'creator' };

const nameIn = (...tables: string[]) =>
  `(select lower(name) from (${tables
    .map((table) => `select name from ${table} where id = key`)
    .join(' union all ')}) as names limit 1)`;

/** What groups are ordered by with `orderBy=name`. */
export const groupNames = {
  apiKey: nameIn('api_keys', 'deleted_api_keys'),
  model: 'key',
  tag: 'key',
  none: 'key',
  creator: nameIn('users', 'service_accounts'),
} as const satisfies Record<Grouping, string>;

const isTagged = ':tags::text[] is not null and api_key_id in (select tagged_key_id from tagged)';
const isKey = '(:apiKeyIds::uuid[] is null or api_key_id = any (:apiKeyIds))';
const ofKeysOrAll = `api_key_id = any (coalesce(:apiKeyIds::uuid[], array[${allKeys}]))`;

/** The sums of all keys, or the keys with a tag. */
const ofAllKeys = `(:tags::text[] is null and ${ofKeysOrAll} or ${isTagged} and ${isKey})`;

/** The sums of all keys have no key, and so no tag and no creator. */
const ofKeys = `api_key_id <> ${allKeys} and ${isKey} and (:tags::text[] is null or ${isTagged})`;

const joinCreators = 'left join key_creators on created_key_id = api_key_id';

/** What groups are ordered by: a column of `usage` or, in packed rows, its array. */
export const amount = `case :orderBy
  when 'requests' then requests when 'failures' then failures when 'limited' then limited
  ${usageColumns.map(({ name, column }) => `when '${name}' then ${column}`).join(' ')}
end`;

/** SQL condition: whether a series counts in the groups. */
export function seriesOfGroups(groupBy: Grouping): string {
  return groupBy === 'model' || groupBy === 'none' ? ofAllKeys : ofKeys;
}

/**
 * SQL that joins usage with the tags or creators of its keys, if they are groups.
 *
 * @param tags the relation with the tags
 */
export function ownersOfGroups(groupBy: Grouping, tags: string): string {
  if (groupBy === 'tag') return `left join ${tags} on tagged_key_id = api_key_id`;
  return groupBy === 'creator' ? joinCreators : '';
}

/** Each tag on the page, and one null for all others, so that no request of a key with several counts twice. */
export const tagsOnPage = `(
  select distinct tagged_key_id, case when tag = any (:groups::text[]) then tag end as tag from key_tags
) as tags_on_page`;

/**
 * SQL for the series to read with their group. The groups that aren't on the page are read as the sum of all keys less
 * those on the page, because there may be many.
 */
export function seriesOnPage(groupBy: Grouping): string {
  const isOnPage = 'api_key_id = any (:groups::text[]::uuid[])';
  const select = (group: string, sign: 1 | -1, condition: string) =>
    `select id, ${group} as "group", ${sign} as sign from usage_series
     where organization_id = :organizationId and (:models::text[] is null or model = any (:models)) and ${condition}`;
  if (groupBy === 'tag') return chosenTagSeries();
  if (groupBy === 'creator') return chosenCreatorSeries();
  if (groupBy !== 'apiKey') return select(groupOnPage(groupBy), 1, ofAllKeys);
  return `${select('api_key_id::text', 1, isOnPage)}
     union all ${select('null', 1, `:includesOthers and ${ofAllKeys}`)}
     union all ${select('null', -1, `:includesOthers and ${isOnPage}`)}`;
}

/** SQL for the series to read with their creator. */
function chosenCreatorSeries(): string {
  return `select id, ${groupOnPage('creator')} as "group", 1 as sign from usage_series ${joinCreators}
     where organization_id = :organizationId and (:models::text[] is null or model = any (:models)) and ${ofKeys}
       and (:includesOthers or ${groupColumns.creator} = any (:groups::text[]))`;
}

const untaggedOnPage = `case when '' = any (:groups::text[]) then '' end`;

/** SQL for the series to read with their tag. Keys without tags, which may be many, are all keys less those with tags. */
function chosenTagSeries(): string {
  const ofModel = `organization_id = :organizationId and (:models::text[] is null or model = any (:models))`;
  const withUntagged = `:tags::text[] is null and (:includesOthers or '' = any (:groups::text[]))`;
  return `select id, tag as "group", 1 as sign from usage_series join ${tagsOnPage} on tagged_key_id = api_key_id
     where ${ofModel} and ${isKey} and (:tags::text[] is null or ${isTagged}) and (:includesOthers or tag is not null)
     union all
     select id, ${untaggedOnPage}, 1 from usage_series where ${ofModel} and ${withUntagged} and ${ofAllKeys}
     union all
     select id, ${untaggedOnPage}, -1 from usage_series
     where ${ofModel} and ${withUntagged} and ${isKey} and api_key_id in (select tagged_key_id from key_tags)`;
}

/** SQL for the group of a row; null unless it's on the page. */
export function groupOnPage(groupBy: Grouping): string {
  if (groupBy === 'tag') return `case when tagged_key_id is null then ${untaggedOnPage} else tag end`;
  const key = groupColumns[groupBy];
  return `case when ${key} = any (:groups::text[]) then ${key} end`;
}
