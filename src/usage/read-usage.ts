import type { DataSource } from 'typeorm';
import { joinFragments, loadFragment, loadStatement, type SqlFragment } from '../database/sql-file.js';
import { dividePeriod, slotsOf } from './divide-period.js';
import {
  type GroupOrder,
  type Grouping,
  groupings,
  percentileOrders,
  type UsageFilterDto,
} from './dto/usage-query.dto.js';
import {
  amount,
  divisor,
  groupKeys,
  groupNames,
  groupOnPage,
  joinOwners,
  joinOwnersOnPage,
  selectedUsage,
  seriesOfGroups,
  seriesOnPage,
} from './usage-groups.js';
import { allKeys, columnLists, joinParts, packedTables, type SlotLength, slotLengths } from './history/packed-usage.js';
import type { UsageColumnName } from './usage-columns.js';
import { maxPoints, type UsagePeriod } from './usage-period.js';

/** Sums of one group, in one interval or in the whole period. PostgreSQL's numbers as strings. */
export interface UsageRow extends Record<UsageColumnName, string> {
  /**
   * Id of the API key, model or creator, or a tag; empty without grouping, for an unknown model or creator and without
   * tags; null for the groups on other pages.
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
interface UsageSelection extends Pick<UsageFilterDto, 'groupBy' | 'apiKeyId' | 'creatorId' | 'model' | 'tag'> {
  organizationId: string;
  period: UsagePeriod;
}

/** The groups of a page. */
export interface GroupPage {
  /** In order. */
  groups: string[];
  /** Number of groups on other pages. */
  otherCount: number;
}

/** SQL for the rows of all slot lengths. */
const forEachLength = (load: (length: SlotLength) => SqlFragment) => joinFragments(slotLengths.map(load), 'union all');

/** SQL that joins series with their packed rows: all of a period at once for keys, and looked up for few series. */
const joinPacked = (groupBy: Grouping, length: SlotLength) => {
  const { name: table } = packedTables[length];
  return groupBy === 'apiKey'
    ? `join ${table} as packed on packed.series_id = chosen.id and packed.start = range.start`
    : `cross join lateral (
        select * from ${table} where series_id = chosen.id and start = range.start offset 0
      ) as packed`;
};

const packedAmounts = (groupBy: Grouping) => (length: SlotLength) =>
  loadFragment('usage/packed-amounts.sql', {
    fragments: { length, join_packed: joinPacked(groupBy, length), amount, divisors: divisor },
  });

const packedLatencies = (groupBy: Grouping) => (length: SlotLength) =>
  loadFragment('usage/packed-latencies.sql', { fragments: { length, join_packed: joinPacked(groupBy, length) } });

const packedSlots = (length: SlotLength) => {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { length, table, time: timeOf('packed.start', 'part.slot'), parts: joinParts('packed') };
  return loadFragment('usage/packed-slots.sql', { fragments, lists: columnLists });
};

const selectionParameters = [
  ...(['organizationId', 'from', 'to', 'apiKeyIds', 'models', 'tags', 'creators', 'sums'] as const),
  ...(['rangeLengths', 'rangeStarts', 'firstSlots', 'endSlots'] as const),
];

/** What `selected-series.sql` needs. */
const selection = {
  all_keys: allKeys,
  cohort_id: `case :sums::text when 'creators' then creator_cohort_id when 'tags' then tags_cohort_id end`,
};

function loadAmounts(groupBy: Grouping) {
  const fragments = {
    key: groupKeys[groupBy],
    amount,
    divisor,
    join_owners: joinOwners[groupBy],
    selected_usage: selectedUsage,
    packed_amounts: forEachLength(packedAmounts(groupBy)),
  };
  return loadFragment('usage/amounts-of-groups.sql', { fragments });
}

function loadLatencies(groupBy: Grouping) {
  const fragments = {
    key: groupKeys[groupBy],
    join_owners: joinOwners[groupBy],
    selected_usage: selectedUsage,
    packed_latencies: forEachLength(packedLatencies(groupBy)),
  };
  return loadFragment('usage/latencies-of-groups.sql', { fragments });
}

function loadFindGroups(groupBy: Grouping, sums: SqlFragment) {
  return loadStatement('usage/find-groups.sql', {
    parameters: [...selectionParameters, 'orderBy', 'isAscending', 'offset', 'end'],
    fragments: { ...selection, name: groupNames[groupBy], chosen_series: seriesOfGroups[groupBy], sums },
  });
}

function loadReadUsage(groupBy: Grouping, hasIntervals: boolean) {
  return loadStatement('usage/read-usage.sql', {
    parameters: [...selectionParameters, 'groups', 'includesOthers', 'starts'],
    fragments: {
      ...selection,
      chosen_series: seriesOnPage(groupBy),
      group_on_page: groupOnPage(groupBy),
      join_owners: joinOwnersOnPage[groupBy],
      selected_usage: selectedUsage,
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

const byGrouping = <Value>(load: (groupBy: Grouping) => Value) =>
  Object.fromEntries(groupings.map((groupBy) => [groupBy, load(groupBy)])) as Record<Grouping, Value>;

export const findGroupsStatements = byGrouping((groupBy) => loadFindGroups(groupBy, loadAmounts(groupBy)));
export const findByLatencyStatements = byGrouping((groupBy) => loadFindGroups(groupBy, loadLatencies(groupBy)));

export const readUsageStatements = byGrouping((groupBy) => loadReadUsage(groupBy, false));
export const readIntervalsStatements = byGrouping((groupBy) => loadReadUsage(groupBy, true));

/** What is added up: the fewest series that the filters and groups can be read from. */
function sumsOf({ groupBy, apiKeyId, creatorId, tag }: UsageSelection): 'all' | 'keys' | 'creators' | 'tags' {
  const byCreator = groupBy === 'creator' || creatorId !== undefined;
  const byTag = groupBy === 'tag' || tag !== undefined;
  if (apiKeyId !== undefined || (byCreator && byTag)) return 'keys';
  if (byCreator) return 'creators';
  return byTag ? 'tags' : 'all';
}

function selectionValues(selection: UsageSelection, longest: SlotLength, sums = sumsOf(selection)) {
  const { organizationId, period, apiKeyId, creatorId, model, tag } = selection;
  const ranges = dividePeriod(period, longest, new Date()).flatMap(slotsOf);
  return {
    organizationId,
    from: period.from,
    to: period.to,
    apiKeyIds: apiKeyId ?? null,
    models: model ?? null,
    tags: tag ?? null,
    creators: creatorId ?? null,
    sums,
    rangeLengths: ranges.map(({ length }) => length),
    rangeStarts: ranges.map(({ start }) => start),
    firstSlots: ranges.map(({ first }) => first),
    endSlots: ranges.map(({ end }) => end),
  };
}

/**
 * Finds the groups of a page in the order of the query.
 *
 * @param paging all groups by default, those with the most requests first
 */
export async function findGroups(
  dataSource: DataSource,
  selection: UsageSelection,
  { limit, page = 1, orderBy, order }: Pick<UsageFilterDto, 'limit' | 'page' | 'orderBy' | 'order'>,
): Promise<GroupPage> {
  const { groupBy } = selection;
  const statement = (isPercentile(orderBy) ? findByLatencyStatements : findGroupsStatements)[groupBy];
  const values = statement.bind({
    ...selectionValues(selection, 'month', groupBy === 'apiKey' ? 'keys' : undefined),
    orderBy,
    isAscending: order === 'ASC',
    offset: limit === undefined ? 0 : (page - 1) * limit,
    end: limit === undefined ? null : page * limit,
  });
  const [found] = await dataSource.query<{ groups: string[]; count: number }[]>(statement.text, values);
  const { groups, count } = found ?? { groups: [], count: 0 };
  return { groups, otherCount: count - groups.length };
}

const isPercentile = (orderBy: GroupOrder) => percentileOrders.some((order) => order === orderBy);

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
