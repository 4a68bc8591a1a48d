import type { DataSource } from 'typeorm';
import { type MeterAmounts, type MeterName, meters } from '../common/rules/meters.js';
import { loadStatement, readSql } from '../database/sql-file.js';
import { fillPlaceholders, withoutHeader } from '../database/sql-text.js';
import { dividePeriod, slotsOf } from './divide-period.js';
import { type Grouping, groupings, type UsageQueryDto } from './dto/usage-query.dto.js';
import { allKeys, joinParts, meterLists, packedTables, type SlotLength, slotLengths } from './history/packed-usage.js';
import { maxPoints, type UsagePeriod } from './usage-period.js';

/** Sums of one group, in one interval or in the whole period. PostgreSQL's bigints as strings. */
export interface UsageRow extends Record<MeterName, string> {
  /** Id of the API key or model; empty without grouping and for an unknown model; null for the groups on other pages. */
  group: string | null;
  /** Start of the interval; null for the whole period. */
  start: Date | null;
  requests: string;
  failures: string;
  limited: string;
  /** 0 without prices. */
  cost: number;
  /** Requests to models without a price. */
  unpriced: string;
  /** Buckets of percentiles of durations; null without requests. */
  medianBucket: number | null;
  p95Bucket: number | null;
  p99Bucket: number | null;
}

/** An organization, a period and filters. */
interface UsageSelection extends Pick<UsageQueryDto, 'groupBy' | 'apiKeyId' | 'model'> {
  organizationId: string;
  period: UsagePeriod;
}

/** The groups of a page. */
export interface GroupPage {
  /** Those with the most requests first. */
  groups: string[];
  /** Number of groups on other pages. */
  otherCount: number;
}

/** What a model costs per unit of each meter. */
export interface ModelUnitPrice extends MeterAmounts {
  model: string;
}

const groupColumns = {
  apiKey: 'api_key_id::text',
  model: 'model',
  none: `''::text`,
} as const satisfies Record<Grouping, string>;

/** Meters whose units have a price. */
const pricedMeters = meters.filter(({ price }) => price !== undefined);

/** SQL for the rows of all slot lengths. */
const forEachLength = (query: (length: SlotLength) => string) => slotLengths.map(query).join('\nunion all\n');

const packedRequests = (length: SlotLength) => {
  const fragments = { length, table: packedTables[length].name };
  return fillPlaceholders(withoutHeader(readSql('usage/packed-requests.sql')), { fragments });
};

const packedSlots = (length: SlotLength) => {
  const { name: table, timeOf } = packedTables[length];
  const fragments = { length, table, time: timeOf('packed.start', 'part.slot'), parts: joinParts('packed') };
  return fillPlaceholders(withoutHeader(readSql('usage/packed-slots.sql')), { fragments, lists: meterLists });
};

const selectionParameters = [
  ...(['organization_id', 'from', 'to', 'api_key_id', 'model'] as const),
  ...(['range_lengths', 'range_starts', 'first_slots', 'end_slots'] as const),
];

const ofAllKeys = `api_key_id = coalesce(:api_key_id, ${allKeys})`;

function loadFindGroups(groupBy: Grouping) {
  // Comparing text would take longer.
  const key = groupBy === 'apiKey' ? 'api_key_id' : groupColumns[groupBy];
  // The sums of all keys have no key.
  const ofKeys = `:api_key_id::uuid is null and api_key_id <> ${allKeys} or api_key_id = :api_key_id`;
  return loadStatement('usage/find-groups.sql', {
    parameters: [...selectionParameters, 'offset', 'end'],
    fragments: {
      key,
      owners: groupBy === 'apiKey' ? ofKeys : ofAllKeys,
      packed_requests: forEachLength(packedRequests),
    },
  });
}

function loadReadUsage(groupBy: Grouping, hasIntervals: boolean) {
  return loadStatement<string>('usage/read-usage.sql', {
    parameters: [
      ...[...selectionParameters, 'groups', 'includes_others', 'starts', 'priced_models'],
      ...pricedMeters.map(({ column }) => `price_of_${column}`),
    ],
    fragments: {
      chosen_series: chosenSeries(groupBy),
      group_on_page: groupOnPage(groupBy),
      packed_slots: forEachLength(packedSlots),
      interval: hasIntervals ? 'interval_start' : 'null::timestamptz',
      grouping_sets: `${hasIntervals ? '("group", interval_start, latency_bucket), ' : ''}("group", latency_bucket)`,
      max_rows: String(maxRows),
    },
    lists: { ...meterLists, priced: pricedMeters.map(({ column }) => ({ column })) },
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
    `select id, model, ${group} as "group", ${sign} as sign from usage_series
     where organization_id = :organization_id and (:model::text is null or model = :model) and ${condition}`;
  if (groupBy !== 'apiKey') return select(groupOnPage(groupBy), 1, ofAllKeys);
  return `${select('api_key_id::text', 1, isOnPage)}
     union all ${select('null', 1, `:includes_others and ${ofAllKeys}`)}
     union all ${select('null', -1, `:includes_others and ${isOnPage}`)}`;
}

/** SQL for the group of a row; null unless it's on the page. */
function groupOnPage(groupBy: Grouping): string {
  const key = groupColumns[groupBy];
  return `case when ${key} = any (:groups::text[]) then ${key} end`;
}

const byGrouping = <Value>(load: (groupBy: Grouping) => Value) =>
  Object.fromEntries(groupings.map((groupBy) => [groupBy, load(groupBy)])) as Record<Grouping, Value>;

export const findGroupsStatements = byGrouping(loadFindGroups);

export const readUsageStatements = byGrouping((groupBy) => ({
  withIntervals: loadReadUsage(groupBy, true),
  withoutIntervals: loadReadUsage(groupBy, false),
}));

function selectionValues({ organizationId, period, apiKeyId, model }: UsageSelection, longest: SlotLength) {
  const ranges = dividePeriod(period, longest, new Date()).flatMap(slotsOf);
  return {
    organization_id: organizationId,
    from: period.from,
    to: period.to,
    api_key_id: apiKeyId ?? null,
    model: model ?? null,
    range_lengths: ranges.map(({ length }) => length),
    range_starts: ranges.map(({ start }) => start),
    first_slots: ranges.map(({ first }) => first),
    end_slots: ranges.map(({ end }) => end),
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
  { limit, page = 1 }: Pick<UsageQueryDto, 'limit' | 'page'>,
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
 *
 * @param prices of models with a price
 */
export function readUsage(
  dataSource: DataSource,
  selection: UsageSelection,
  { groups, otherCount }: GroupPage,
  prices: readonly ModelUnitPrice[],
): Promise<UsageRow[]> {
  const { groupBy, period } = selection;
  const { withIntervals, withoutIntervals } = readUsageStatements[groupBy];
  const statement = period.starts.length > 0 ? withIntervals : withoutIntervals;
  const values = statement.bind({
    ...selectionValues(selection, longestSlots(period)),
    groups,
    includes_others: otherCount > 0,
    starts: period.starts,
    priced_models: prices.map(({ model }) => model),
    ...Object.fromEntries(
      pricedMeters.map(({ name, column }) => [`price_of_${column}`, prices.map((price) => price[name] ?? 0)]),
    ),
  });
  return dataSource.query<UsageRow[]>(statement.text, values);
}
