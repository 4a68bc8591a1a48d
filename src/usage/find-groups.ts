import type { DataSource } from 'typeorm';
import { loadFragment, loadStatement, type SqlFragment } from '../database/sql-file.js';
import { type GroupOrder, type Grouping, percentileOrders, type UsageFilterDto } from './dto/usage-query.dto.js';
import { packedTables, type SlotLength } from './history/packed-usage.js';
import { bucketsPerDoubling } from './latency-buckets.js';
import { amount, divisor, groupKeys, groupNames, joinOwners, selectedUsage, seriesOfGroups } from './usage-groups.js';
import type { UsagePeriod } from './usage-period.js';
import {
  byGrouping,
  forEachLength,
  selectionFragments,
  selectionParameters,
  selectionValues,
  slotValues,
  type UsageSelection,
} from './usage-selection.js';

/** The groups of a page. */
export interface GroupPage {
  /** In order. */
  groups: string[];
  /** Number of groups on other pages. */
  otherCount: number;
}

/** SQL for the start, the end and the slots of a period. */
interface PeriodSql {
  from: string;
  to: string;
  slots: string;
}

const reported: PeriodSql = {
  from: ':from',
  to: ':to',
  slots: 'unnest(:rangeLengths::text[], :rangeStarts::timestamptz[], :firstSlots::smallint[], :endSlots::smallint[])',
};

const compared: PeriodSql = {
  from: ':comparedFrom',
  to: ':comparedTo',
  slots:
    'unnest(:comparedLengths::text[], :comparedStarts::timestamptz[], :comparedFirst::smallint[], :comparedEnd::smallint[])',
};

/** SQL that joins series with their packed rows: all of a period at once for keys, and looked up for few series. */
const joinPacked = (groupBy: Grouping, length: SlotLength) => {
  const { name: table } = packedTables[length];
  return groupBy === 'apiKey'
    ? `join ${table} as packed on packed.series_id = chosen.id and packed.start = range.start`
    : `cross join lateral (
        select * from ${table} where series_id = chosen.id and start = range.start offset 0
      ) as packed`;
};

/** Loads the amounts, or the latencies, of groups in a period. */
type LoadSums = (groupBy: Grouping, period: PeriodSql) => SqlFragment;

const loadAmounts: LoadSums = (groupBy, { from, to, slots }) => {
  const packedAmounts = (length: SlotLength) =>
    loadFragment('usage/packed-amounts.sql', {
      fragments: { length, ranges: slots, join_packed: joinPacked(groupBy, length), amount, divisors: divisor },
    });
  return loadFragment('usage/amounts-of-groups.sql', {
    fragments: {
      key: groupKeys[groupBy],
      amount,
      divisor,
      join_owners: joinOwners[groupBy],
      selected_usage: selectedUsage(from, to),
      packed_amounts: forEachLength(packedAmounts),
    },
  });
};

const loadLatencies: LoadSums = (groupBy, { from, to, slots }) => {
  const packedLatencies = (length: SlotLength) =>
    loadFragment('usage/packed-latencies.sql', {
      fragments: { length, ranges: slots, join_packed: joinPacked(groupBy, length) },
    });
  return loadFragment('usage/latencies-of-groups.sql', {
    fragments: {
      key: groupKeys[groupBy],
      join_owners: joinOwners[groupBy],
      selected_usage: selectedUsage(from, to),
      packed_latencies: forEachLength(packedLatencies),
    },
  });
};

const rankingParameters = ['orderBy', 'isAscending', 'offset', 'end'] as const;

function loadFindGroups(groupBy: Grouping, loadSums: LoadSums) {
  return loadStatement('usage/find-groups.sql', {
    parameters: [...selectionParameters, ...rankingParameters],
    fragments: {
      ...selectionFragments,
      name: groupNames[groupBy],
      chosen_series: seriesOfGroups[groupBy],
      sums: loadSums(groupBy, reported),
    },
  });
}

/** A group that is new or no longer used has 0 in the other period. A mean of nothing isn't 0. */
const changeOfAmount = `case
    when :orderBy = 'firstTokenMilliseconds' then current - previous
    when coalesce(current, previous) is not null then coalesce(current, 0) - coalesce(previous, 0)
  end`;

/** Of buckets, in a unit of time. */
const changeOfLatency = `power(2, current / ${bucketsPerDoubling}.0) - power(2, previous / ${bucketsPerDoubling}.0)`;

function loadFindCompared(groupBy: Grouping, loadSums: LoadSums, change: string) {
  return loadStatement('usage/find-compared-groups.sql', {
    parameters: [
      ...selectionParameters,
      ...(['comparedFrom', 'comparedTo', 'ordersByChange'] as const),
      ...(['comparedLengths', 'comparedStarts', 'comparedFirst', 'comparedEnd'] as const),
      ...rankingParameters,
    ],
    fragments: {
      ...selectionFragments,
      name: groupNames[groupBy],
      chosen_series: seriesOfGroups[groupBy],
      sums: loadSums(groupBy, reported),
      compared_sums: loadSums(groupBy, compared),
      change,
    },
  });
}

export const findGroupsStatements = byGrouping((groupBy) => loadFindGroups(groupBy, loadAmounts));
export const findByLatencyStatements = byGrouping((groupBy) => loadFindGroups(groupBy, loadLatencies));
export const findComparedStatements = byGrouping((groupBy) => loadFindCompared(groupBy, loadAmounts, changeOfAmount));
export const findComparedByLatencyStatements = byGrouping((groupBy) =>
  loadFindCompared(groupBy, loadLatencies, changeOfLatency),
);

/** Which groups are on the page. */
type Paging = Pick<UsageFilterDto, 'limit' | 'page' | 'orderBy' | 'order'>;

/**
 * Finds the groups of a page in the order of the query.
 *
 * @param paging all groups by default, those with the most requests first
 */
export function findGroups(dataSource: DataSource, selection: UsageSelection, paging: Paging): Promise<GroupPage> {
  const { groupBy } = selection;
  const statement = (isPercentile(paging.orderBy) ? findByLatencyStatements : findGroupsStatements)[groupBy];
  const values = statement.bind({ ...selectionOf(selection), ...rankingValues(paging) });
  return readPage(dataSource, statement.text, values);
}

/**
 * Finds the groups of a page among those with usage in the period or in one that it's compared with.
 *
 * @param ordersByChange whether the order is that of the changes of the amount
 */
export function findComparedGroups(
  dataSource: DataSource,
  selection: UsageSelection,
  comparedPeriod: UsagePeriod,
  { ordersByChange, ...paging }: Paging & { ordersByChange: boolean },
): Promise<GroupPage> {
  const { groupBy } = selection;
  const byLatency = isPercentile(paging.orderBy);
  const statement = (byLatency ? findComparedByLatencyStatements : findComparedStatements)[groupBy];
  const { lengths, starts, first, end } = slotValues(comparedPeriod, 'month');
  const values = statement.bind({
    ...selectionOf(selection),
    comparedFrom: comparedPeriod.from,
    comparedTo: comparedPeriod.to,
    ordersByChange,
    comparedLengths: lengths,
    comparedStarts: starts,
    comparedFirst: first,
    comparedEnd: end,
    ...rankingValues(paging),
  });
  return readPage(dataSource, statement.text, values);
}

const selectionOf = (selection: UsageSelection) =>
  selectionValues(selection, 'month', selection.groupBy === 'apiKey' ? 'keys' : undefined);

const rankingValues = ({ limit, page = 1, orderBy, order }: Paging) => ({
  orderBy,
  isAscending: order === 'ASC',
  offset: limit === undefined ? 0 : (page - 1) * limit,
  end: limit === undefined ? null : page * limit,
});

async function readPage(dataSource: DataSource, text: string, values: unknown[]): Promise<GroupPage> {
  const [found] = await dataSource.query<{ groups: string[]; count: number }[]>(text, values);
  const { groups, count } = found ?? { groups: [], count: 0 };
  return { groups, otherCount: count - groups.length };
}

const isPercentile = (orderBy: GroupOrder) => percentileOrders.some((order) => order === orderBy);
