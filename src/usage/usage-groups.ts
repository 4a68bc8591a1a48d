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

/** What groups are ordered by: a column of `usage` or, in packed rows, its array. */
export const amount = `case :orderBy
  when 'requests' then requests when 'failures' then failures when 'limited' then limited
  when 'firstTokenMilliseconds' then first_token_microseconds
  ${usageColumns.map(({ name, column }) => `when '${name}' then ${column}`).join(' ')}
end`;

/** What an amount is divided by, if it's a mean. */
export const divisor = `case :orderBy when 'firstTokenMilliseconds' then first_tokens end`;

/**
 * SQL condition: whether a row of `usage` is selected.
 *
 * @param from SQL for the start of the period (inclusive)
 * @param to SQL for its end (exclusive)
 */
export function selectedUsage(from: string, to: string): string {
  return `organization_id = :organizationId and hour >= ${from} and hour < ${to}
    and (:apiKeyIds::uuid[] is null or api_key_id = any (:apiKeyIds))
    and (:models::text[] is null or model = any (:models))
    and (:tags::text[] is null and :creators::uuid[] is null or api_key_id in (select key_id from selected_keys))`;
}

/**
 * SQL for the tags of a key that are groups: those with the prefix. A key without such tags has an empty one, as keys without
 * any have.
 */
export const groupTags = `case when :tagPrefix::text is null then tags else
  coalesce(nullif(array(select tag from unnest(tags) as tag where starts_with(tag, :tagPrefix)), '{}'), '{""}') end`;

/**
 * SQL that joins usage with the tags or creators of its keys, if they are groups. Tags are taken apart after the join: a
 * subquery that does so looks small to PostgreSQL, which then repeats it for each row of usage.
 */
export const joinOwners = {
  apiKey: '',
  model: '',
  tag: `left join key_owners on key_id = api_key_id left join lateral unnest(${groupTags}) as tag on true`,
  creator: 'left join key_owners on key_id = api_key_id',
  none: '',
} as const satisfies Record<Grouping, string>;

/** SQL for the selected series with their group. */
export const seriesOfGroups = {
  apiKey: 'select id, key_id as key, sign from selected',
  model: 'select id, model as key, sign from selected',
  tag: 'select id, unnest(tags) as key, sign from selected',
  creator: 'select id, creator as key, sign from selected',
  none: `select id, '' as key, sign from selected`,
} as const satisfies Record<Grouping, string>;

/**
 * Like `joinOwners`, with each tag on the page, and one null for all others, so that no request of a key with several
 * counts twice.
 */
export const joinOwnersOnPage = {
  ...joinOwners,
  tag: `left join key_owners on key_id = api_key_id
    left join lateral unnest(
      case when ${groupTags} <@ :groups::text[] then ${groupTags}
        else array(select tag from unnest(${groupTags}) as tag where tag = any (:groups::text[])) || null::text end
    ) as tag on true`,
} as const satisfies Record<Grouping, string>;

const hasFilters = '(:tags::text[] is not null or :creators::uuid[] is not null or :apiKeyIds::uuid[] is not null)';

/**
 * SQL for the series to read with their group, which is null for those that aren't on the page. These may be many, so they
 * are read as the sum of all keys less those on the page only.
 *
 * @param includesOthers SQL condition: whether to read these
 */
export function seriesOnPage(groupBy: Grouping, includesOthers = ':includesOthers'): string {
  const ofModel = 'organization_id = :organizationId and (:models::text[] is null or model = any (:models))';
  const allSums = `select id, null, 1 from usage_series
    where ${includesOthers} and not ${hasFilters} and ${ofModel} and api_key_id = ${allKeys}`;
  switch (groupBy) {
    case 'apiKey': {
      const onPage = (group: string, sign: 1 | -1) =>
        `select id, ${group} as "group", ${sign} as sign from usage_series
         where ${ofModel} and api_key_id = any (:groups::text[]::uuid[])`;
      return `${onPage('api_key_id::text', 1)}
        union all select id, null, sign from selected where ${includesOthers}
        union all ${onPage('null', -1)} and ${includesOthers}`;
    }
    case 'tag':
      return `select id, tag as "group", sign from selected cross join unnest(tags) as tag where tag = any (:groups::text[])
        union all
        select id, null, sign from selected where ${includesOthers} and ${hasFilters} and not tags <@ :groups::text[]
        union all ${allSums}
        union all
        select id, null, -sign from selected where ${includesOthers} and not ${hasFilters} and tags <@ :groups::text[]`;
    case 'creator': {
      const isOnPage = `${groupColumns.creator} = any (:groups::text[])`;
      return `select id, ${groupColumns.creator} as "group", sign from selected where ${isOnPage}
        union all select id, null, sign from selected where ${includesOthers} and ${hasFilters} and not ${isOnPage}
        union all ${allSums}
        union all select id, null, -sign from selected where ${includesOthers} and not ${hasFilters} and ${isOnPage}`;
    }
    case 'model':
    case 'none':
      return `select id, ${groupOnPage(groupBy)} as "group", sign from selected`;
  }
}

/** SQL for the group of a row of `usage`; null unless it's on the page. */
export function groupOnPage(groupBy: Grouping): string {
  if (groupBy === 'tag')
    return `case when key_id is null then case when '' = any (:groups::text[]) then '' end else tag end`;
  const key = groupColumns[groupBy];
  return `case when ${key} = any (:groups::text[]) then ${key} end`;
}
