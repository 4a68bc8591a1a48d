import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { operations, UsageReport, UsageTotals } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import type { PreviousStart } from '../../common/usage/previous-month.js';
import { queryClient } from '../../query-client.js';
import { meQuery } from '../../session/me.js';
import { isByModel } from './measures.js';
import {
  filterOf,
  type GroupName,
  type GroupSort,
  rangeOf,
  selectionOf,
  type UsageFilter,
  type UsageRange,
  type UsageSearch,
} from './search.js';
import { noUsage } from './usage-totals.js';
import {
  groupLimit,
  maxRequestedGroups,
  previousPeriod,
  toUsagePeriod,
  type UsagePeriod,
} from './filters/usage-period.js';

type UsageQuery = NonNullable<operations['getUsage']['parameters']['query']>;

/** Usage in a range. */
export interface Usage {
  period: UsagePeriod;
  /** By group and interval. */
  report: UsageReport;
  /** Totals of all groups. */
  totals: UsageTotals;
  /** Totals of the period of the same length before; `undefined` if some of its usage is no longer kept. */
  previousTotals: UsageTotals | undefined;
  previousStart: PreviousStart;
  /** Totals by model. Latencies of different models can't be compared, so they are never combined. */
  byModel: UsageReport;
  currency: string;
  /** Of the tags that the report is split by. */
  tagPrefix: string | undefined;
  /** See `selectionOf`. */
  selection: string;
}

/** What the chart shows. */
type ChartSearch = Omit<UsageSearch, 'orderBy' | 'order' | 'page' | 'perPage'>;

/** Of all reports with a chart. */
export const usageReportKey = ['usage', 'report'] as const;

/** The usage of the range in the URL. The previous range stays visible while another loads. */
export function usageQuery(search: ChartSearch) {
  const [range, filter, groups] = [rangeOf(search), filterOf(search), chartGroups(search)];
  return queryOptions({
    queryKey: [...usageReportKey, range, filter, groups],
    queryFn: async ({ signal }): Promise<Usage> => {
      const period = currentPeriod(range);
      const request = (query: UsageQuery) => requestReport({ ...toQuery(period), ...filter, ...query }, signal);
      const [report, all, byModel] = await Promise.all([
        request({ ...groups, ...(groups.groupBy !== 'none' && { limit: groupLimit(period) }) }),
        request({ interval: 'none', ...toComparison(previousPeriod(period)) }),
        request({ interval: 'none', groupBy: 'model', limit: maxRequestedGroups }),
      ]);
      return {
        period,
        report,
        totals: totalsOf(all),
        previousTotals: keepsCompared(all) ? (all.groups[0]?.previousTotals ?? noUsage) : undefined,
        previousStart: { usage: all.comparedUsageFrom, cost: all.comparedCostFrom },
        byModel,
        currency: report.currency,
        tagPrefix: search.tagPrefix,
        selection: selectionOf(search),
      };
    },
    placeholderData: keepPreviousData,
  });
}

/** The groups with the most of the measure. Without groups, all measures are in the same report. */
function chartGroups({ groupBy, measure, tagPrefix }: Pick<UsageSearch, 'groupBy' | 'measure' | 'tagPrefix'>) {
  if (groupBy === 'none') return { groupBy: isByModel(measure) ? ('model' as const) : groupBy };
  return { groupBy, orderBy: sortOf(measure), tagPrefix };
}

/** What groups are ordered by while a measure is shown. The slowest ones may hardly be used, so times don't order them. */
export function sortOf(measure: UsageSearch['measure']): Exclude<GroupSort, 'name' | 'change' | TimeKey> {
  return isTime(measure) ? 'requests' : measure;
}

/** What the service calls times. */
const orderOfTimes = { latency: 'p95Milliseconds', firstToken: 'firstTokenMilliseconds' } as const;
type TimeKey = keyof typeof orderOfTimes;

const isTime = (key: GroupSort): key is TimeKey => key in orderOfTimes;

/** The requests of a range, such as those with one key. */
export function requestsQuery(range: UsageRange, filter: UsageFilter) {
  return usageQuery({ ...rangeOf(range), ...filter, measure: 'requests', groupBy: 'none' });
}

/**
 * A page of the groups used in the range or, if it's compared, in the one before. The previous page stays visible while it
 * loads.
 */
export function groupsPageQuery(groupBy: GroupName, search: UsageSearch, isCompared: boolean) {
  const { page, perPage, tagPrefix } = search;
  const [range, filter] = [rangeOf(search), filterOf(search)];
  const groups = { groupBy, tagPrefix, limit: perPage, page, ...orderOf(search, isCompared) };
  return queryOptions({
    queryKey: ['usage', 'groups', range, filter, groups, isCompared],
    queryFn: async ({ signal }) => {
      const period = currentPeriod(range);
      const comparison = isCompared ? toComparison(previousPeriod(period)) : {};
      const query = { ...toQuery(period), interval: 'none', ...filter, ...groups, ...comparison } as const;
      return { ...(await requestReport(query, signal)), tagPrefix, selection: selectionOf(search) };
    },
    placeholderData: keepPreviousData,
  });
}

/** The order of a table. Without a comparison, that of changes is the default one. */
function orderOf({ measure, orderBy, order = 'DESC' }: UsageSearch, isCompared: boolean) {
  if (orderBy === 'change' && isCompared) {
    return { orderBy: toApiOrder(measure), order, orderMode: 'change' as const };
  }
  return orderBy === undefined || orderBy === 'change'
    ? { orderBy: sortOf(measure), order: 'DESC' as const }
    : { orderBy: toApiOrder(orderBy), order };
}

const toApiOrder = (sort: Exclude<GroupSort, 'change'>) => (isTime(sort) ? orderOfTimes[sort] : sort);

const toComparison = ({ from, to }: UsagePeriod) => ({ compareFrom: from.toISOString(), compareTo: to.toISOString() });

/** The keys or models used in the range, busiest first. */
export function usedQuery(groupBy: 'apiKey' | 'model', search: UsageRange) {
  const range = rangeOf(search);
  return queryOptions({
    queryKey: ['usage', 'used', { groupBy, ...range }],
    queryFn: async ({ signal }) => {
      const period = currentPeriod(range);
      const query = { ...toQuery(period), interval: 'none', groupBy, limit: maxRequestedGroups } as const;
      return (await requestReport(query, signal)).groups;
    },
    placeholderData: keepPreviousData,
  });
}

/** Whether no usage of the period to compare with was deleted. */
function keepsCompared({ comparedFrom, keptFrom }: UsageReport): boolean {
  return comparedFrom !== undefined && new Date(comparedFrom) >= new Date(keptFrom);
}

function totalsOf({ groups }: UsageReport): UsageTotals {
  return groups[0]?.totals ?? noUsage;
}

/** The period of a range that ends now, in the organization's time zone, as budgets are. */
export function currentPeriod(range: UsageRange): UsagePeriod {
  const me = queryClient.getQueryData(meQuery.queryKey);
  return toUsagePeriod(range, new Date(), me?.organization.timeZone ?? 'UTC');
}

export function toQuery({ from, to, interval, timeZone }: UsagePeriod) {
  return { from: from.toISOString(), to: to.toISOString(), interval, timeZone };
}

export function requestReport(query: UsageQuery, signal?: AbortSignal): Promise<UsageReport> {
  return unwrap(api.GET('/usage', { params: { query }, signal }));
}
