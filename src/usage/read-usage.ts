import type { DataSource } from 'typeorm';
import { joinFragments, loadFragment, loadStatement, type SqlFragment } from '../database/sql-file.js';
import { dividePeriod, slotsOf } from './divide-period.js';
import { type Grouping, groupings, type UsageFilterDto } from './dto/usage-query.dto.js';
import {
  amount,
  groupKeys,
  groupNames,
  groupOnPage,
  ownersOfGroups,
  seriesOfGroups,
  seriesOnPage,
  tagsOnPage,
} from './usage-groups.js';
import { columnLists, joinParts, packedTables, type SlotLength, slotLengths } from './history/packed-usage.js';
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
interface UsageSelection extends Pick<UsageFilterDto, 'groupBy' | 'model' | 'tag'> {
  organizationId: string;
  period: UsagePeriod;
  /** Undefined for all keys. */
  apiKeyIds: readonly string[] | undefined;
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

const packedRequests = (length: SlotLength) =>
  loadFragment('usage/packed-requests.sql', { fragments: { length, table: packedTables[length].name, amount } });

const packedSlots = (length: SlotLength) => {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { length, table, time: timeOf('packed.start', 'part.slot'), parts: joinParts('packed') };
  return loadFragment('usage/packed-slots.sql', { fragments, lists: columnLists });
};

const selectionParameters = [
  ...(['organizationId', 'from', 'to', 'apiKeyIds', 'models', 'tags'] as const),
  ...(['rangeLengths', 'rangeStarts', 'firstSlots', 'endSlots'] as const),
];

function loadFindGroups(groupBy: Grouping) {
  return loadStatement('usage/find-groups.sql', {
    parameters: [...selectionParameters, 'orderBy', 'isAscending', 'offset', 'end'],
    fragments: {
      key: groupKeys[groupBy],
      name: groupNames[groupBy],
      amount,
      owners: seriesOfGroups(groupBy),
      join_owners: ownersOfGroups(groupBy, 'key_tags'),
      packed_requests: forEachLength(packedRequests),
    },
  });
}

function loadReadUsage(groupBy: Grouping, hasIntervals: boolean) {
  return loadStatement('usage/read-usage.sql', {
    parameters: [...selectionParameters, 'groups', 'includesOthers', 'starts'],
    fragments: {
      chosen_series: seriesOnPage(groupBy),
      group_on_page: groupOnPage(groupBy),
      join_owners: ownersOfGroups(groupBy, tagsOnPage),
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
    models: model ?? null,
    tags: tag ?? null,
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
  const statement = findGroupsStatements[selection.groupBy];
  const values = statement.bind({
    ...selectionValues(selection, 'month'),
    orderBy,
    isAscending: order === 'ASC',
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
