import type { DataSource } from 'typeorm';
import { joinFragments, loadFragment, loadStatement, type SqlFragment } from '../database/sql-file.js';
import { dividePeriod, slotsOf } from './divide-period.js';
import { type Grouping, groupings, type UsageFilterDto } from './dto/usage-query.dto.js';
import { allKeys, joinParts, columnLists, packedTables, type SlotLength, slotLengths } from './history/packed-usage.js';
import type { UsageColumnName } from './usage-columns.js';
import { maxPoints, type UsagePeriod } from './usage-period.js';

/** Sums of one group, in one interval or in the whole period. PostgreSQL's numbers as strings. */
export interface UsageRow extends Record<UsageColumnName, string> {
  /**
   * Id of the API key or model, or a tag; empty without grouping, for an unknown model and without tags; null for the
   * groups on other pages.
   */
  group: string | null;
  /** Start of the interval; null for the whole period. */
  start: Date | null;
  requests: string;
  failures: string;
  limited: string;
  /** Buckets of percentiles of durations; null without requests. */
  medianBucket: number | null;
  p95Bucket: number | null;
  p99Bucket: number | null;
}

/** An organization, a period and filters. */
interface UsageSelection extends Pick<UsageFilterDto, 'groupBy' | 'model' | 'tag'> {
  organizationId: string;
  period: UsagePeriod;
  /** Undefined for all keys. */
  apiKeyIds: readonly string[] | undefined;
}

/** The groups of a page. */
export interface GroupPage {
  /** Those with the most requests first. */
  groups: string[];
  /** Number of groups on other pages. */
  otherCount: number;
}

const groupColumns = {
  apiKey: 'api_key_id::text',
  model: 'model',
  tag: `coalesce(tag, '')`,
  none: `''::text`,
} as const satisfies Record<Grouping, string>;

/** SQL for the rows of all slot lengths. */
const forEachLength = (load: (length: SlotLength) => SqlFragment) => joinFragments(slotLengths.map(load), 'union all');

const packedRequests = (length: SlotLength) =>
  loadFragment('usage/packed-requests.sql', { fragments: { length, table: packedTables[length].name } });

const packedSlots = (length: SlotLength) => {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { length, table, time: timeOf('packed.start', 'part.slot'), parts: joinParts('packed') };
  return loadFragment('usage/packed-slots.sql', { fragments, lists: columnLists });
};

const selectionParameters = [
  ...(['organizationId', 'from', 'to', 'apiKeyIds', 'model', 'tag'] as const),
  ...(['rangeLengths', 'rangeStarts', 'firstSlots', 'endSlots'] as const),
];

const isTagged = ':tag::text is not null and api_key_id in (select tagged_key_id from tagged)';
const isKey = '(:apiKeyIds::uuid[] is null or api_key_id = any (:apiKeyIds))';
const ofKeysOrAll = `api_key_id = any (coalesce(:apiKeyIds::uuid[], array[${allKeys}]))`;

/** The sums of all keys, or the keys with the tag. */
const ofAllKeys = `(:tag::text is null and ${ofKeysOrAll} or ${isTagged} and ${isKey})`;

function loadFindGroups(groupBy: Grouping) {
  // Comparing text would take longer.
  const key = groupBy === 'apiKey' ? 'api_key_id' : groupColumns[groupBy];
  // The sums of all keys have no key.
  const ofKeys = `api_key_id <> ${allKeys} and ${isKey} and (:tag::text is null or ${isTagged})`;
  return loadStatement('usage/find-groups.sql', {
    parameters: [...selectionParameters, 'offset', 'end'],
    fragments: {
      key,
      owners: groupBy === 'apiKey' || groupBy === 'tag' ? ofKeys : ofAllKeys,
      join_tags: groupBy === 'tag' ? 'left join key_tags on tagged_key_id = api_key_id' : '',
      packed_requests: forEachLength(packedRequests),
    },
  });
}

function loadReadUsage(groupBy: Grouping, hasIntervals: boolean) {
  return loadStatement('usage/read-usage.sql', {
    parameters: [...selectionParameters, 'groups', 'includesOthers', 'starts'],
    fragments: {
      chosen_series: chosenSeries(groupBy),
      group_on_page: groupOnPage(groupBy),
      join_tags: groupBy === 'tag' ? `left join ${tagsOnPage} on tagged_key_id = api_key_id` : '',
      packed_slots: forEachLength(packedSlots),
      interval: hasIntervals ? 'interval_start' : 'null::timestamptz',
      grouping_sets: `${hasIntervals ? '("group", interval_start, latency_bucket), ' : ''}("group", latency_bucket)`,
      max_rows: String(maxRows),
    },
    lists: columnLists,
  });
}

/** Enough for the maximum number of points and groups. */
const maxRows = 2 * maxPoints;

/**
 * SQL for the series to read with their group. The groups that aren't on the page are read as the sum of all keys less
 * those on the page, because there may be many.
 */
function chosenSeries(groupBy: Grouping): string {
  const isOnPage = 'api_key_id = any (:groups::text[]::uuid[])';
  const select = (group: string, sign: 1 | -1, condition: string) =>
    `select id, ${group} as "group", ${sign} as sign from usage_series
     where organization_id = :organizationId and (:model::text is null or model = :model) and ${condition}`;
  if (groupBy === 'tag') return chosenTagSeries();
  if (groupBy !== 'apiKey') return select(groupOnPage(groupBy), 1, ofAllKeys);
  return `${select('api_key_id::text', 1, isOnPage)}
     union all ${select('null', 1, `:includesOthers and ${ofAllKeys}`)}
     union all ${select('null', -1, `:includesOthers and ${isOnPage}`)}`;
}

/** Each tag on the page, and one null for all others, so that no request of a key with several counts twice. */
const tagsOnPage = `(
  select distinct tagged_key_id, case when tag = any (:groups::text[]) then tag end as tag from key_tags
) as tags_on_page`;

const untaggedOnPage = `case when '' = any (:groups::text[]) then '' end`;

/** SQL for the series to read with their tag. Keys without tags, which may be many, are all keys less those with tags. */
function chosenTagSeries(): string {
  const ofModel = `organization_id = :organizationId and (:model::text is null or model = :model)`;
  const withUntagged = `:tag::text is null and (:includesOthers or '' = any (:groups::text[]))`;
  return `select id, tag as "group", 1 as sign from usage_series join ${tagsOnPage} on tagged_key_id = api_key_id
     where ${ofModel} and ${isKey} and (:tag::text is null or ${isTagged}) and (:includesOthers or tag is not null)
     union all
     select id, ${untaggedOnPage}, 1 from usage_series where ${ofModel} and ${withUntagged} and ${ofAllKeys}
     union all
     select id, ${untaggedOnPage}, -1 from usage_series
     where ${ofModel} and ${withUntagged} and ${isKey} and api_key_id in (select tagged_key_id from key_tags)`;
}

/** SQL for the group of a row; null unless it's on the page. */
function groupOnPage(groupBy: Grouping): string {
  if (groupBy === 'tag') return `case when tagged_key_id is null then ${untaggedOnPage} else tag end`;
  const key = groupColumns[groupBy];
  return `case when ${key} = any (:groups::text[]) then ${key} end`;
}

const byGrouping = <Value>(load: (groupBy: Grouping) => Value) =>
  Object.fromEntries(groupings.map((groupBy) => [groupBy, load(groupBy)])) as Record<Grouping, Value>;

export const findGroupsStatements = byGrouping(loadFindGroups);

export const readUsageStatements = byGrouping((groupBy) => loadReadUsage(groupBy, false));
export const readIntervalsStatements = byGrouping((groupBy) => loadReadUsage(groupBy, true));

function selectionValues({ organizationId, period, apiKeyIds, model, tag }: UsageSelection, longest: SlotLength) {
  const ranges = dividePeriod(period, longest, new Date()).flatMap(slotsOf);
  return {
    organizationId,
    from: period.from,
    to: period.to,
    apiKeyIds: apiKeyIds ?? null,
    model: model ?? null,
    tag: tag ?? null,
    rangeLengths: ranges.map(({ length }) => length),
    rangeStarts: ranges.map(({ start }) => start),
    firstSlots: ranges.map(({ first }) => first),
    endSlots: ranges.map(({ end }) => end),
  };
}

/**
 * Finds the groups of a page by their number of requests.
 *
 * @param paging all groups by default
 */
export async function findGroups(
  dataSource: DataSource,
  selection: UsageSelection,
  { limit, page = 1 }: Pick<UsageFilterDto, 'limit' | 'page'>,
): Promise<GroupPage> {
  const statement = findGroupsStatements[selection.groupBy];
  const values = statement.bind({
    ...selectionValues(selection, 'month'),
    offset: limit === undefined ? 0 : (page - 1) * limit,
    end: limit === undefined ? null : page * limit,
  });
  const [found] = await dataSource.query<{ groups: string[]; count: number }[]>(statement.text, values);
  const { groups, count } = found ?? { groups: [], count: 0 };
  return { groups, otherCount: count - groups.length };
}

/** The longest slots that add up to all intervals. */
function longestSlots({ starts }: UsagePeriod): SlotLength {
  if (starts.length === 0) return 'month';
  return starts.every(isStartOfUtcDay) ? 'day' : 'hour';
}

function isStartOfUtcDay(instant: Date): boolean {
  return instant.getTime() % 86_400_000 === 0;
}

/**
 * Reads the usage of an organization, by group and interval and by group alone. Intervals and groups without requests
 * have no row.
 */
export function readUsage(
  dataSource: DataSource,
  selection: UsageSelection,
  { groups, otherCount }: GroupPage,
): Promise<UsageRow[]> {
  const { groupBy, period } = selection;
  const statement = (period.starts.length > 0 ? readIntervalsStatements : readUsageStatements)[groupBy];
  const values = statement.bind({
    ...selectionValues(selection, longestSlots(period)),
    groups,
    includesOthers: otherCount > 0,
    starts: period.starts,
  });
  return dataSource.query<UsageRow[]>(statement.text, values);
}
