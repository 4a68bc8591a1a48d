import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { operations, UsageReport, UsageTotals } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { localTimeZone } from '../../lib/time-zone.js';
import { rangeOf, type UsageRange, type UsageSearch } from './search.js';
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
  interval: UsagePeriod['interval'];
  /** By group and interval. */
  report: UsageReport;
  /** Totals of all groups. */
  totals: UsageTotals;
  /** Totals of the period of the same length before; `undefined` if some of its usage is no longer kept. */
  previousTotals: UsageTotals | undefined;
  /** By model and interval. Latencies of different models can't be compared, so they are never combined. */
  byModel: UsageReport;
  currency: string;
  /** See `UsagePeriod`. */
  length: string;
}

/** The usage of the range in the URL. The previous range stays visible while another loads. */
export function usageQuery(search: UsageSearch) {
  return queryOptions({
    queryKey: ['usage', 'report', search],
    queryFn: ({ signal }) => readUsage(search, signal),
    placeholderData: keepPreviousData,
  });
}

/** The usage of a key in the last 30 days. */
export function apiKeyUsageQuery(apiKeyId: string) {
  return usageQuery({ range: '30d', groupBy: 'none', apiKeyId });
}

/** The usage of the keys that a user or service account created, in the last 30 days. */
export function creatorUsageQuery(creatorId: string) {
  return usageQuery({ range: '30d', groupBy: 'none', creatorId });
}

/** What tables of groups list. */
export type GroupName = Exclude<UsageSearch['groupBy'], 'none'>;

/** A page of the keys, models or tags used in the range, busiest first. The previous page stays visible while it loads. */
export function groupsPageQuery(groupBy: GroupName, search: UsageSearch) {
  const { page = 1, perPage = 10, apiKeyId, model, tag } = search;
  return queryOptions({
    queryKey: ['usage', 'groups', groupBy, search],
    queryFn: ({ signal }) => {
      const period = toUsagePeriod(search, new Date());
      return requestReport(
        { ...toQuery(period), interval: 'none', groupBy, limit: perPage, page, apiKeyId, model, tag },
        signal,
      );
    },
    placeholderData: keepPreviousData,
  });
}

/** The keys or models used in the range, busiest first. */
export function usedQuery(groupBy: 'apiKey' | 'model', search: UsageRange) {
  const range = rangeOf(search);
  return queryOptions({
    queryKey: ['usage', 'used', { groupBy, ...range }],
    queryFn: async ({ signal }) => {
      const period = toUsagePeriod(range, new Date());
      const query = { ...toQuery(period), interval: 'none', groupBy, limit: maxRequestedGroups } as const;
      return (await requestReport(query, signal)).groups;
    },
    placeholderData: keepPreviousData,
  });
}

async function readUsage(search: UsageSearch, signal: AbortSignal): Promise<Usage> {
  const period = toUsagePeriod(search, new Date());
  const { groupBy, apiKeyId, creatorId, model, tag } = search;
  const common = { ...toQuery(period), apiKeyId, creatorId, model, tag };
  const limit = groupBy === 'none' ? undefined : groupLimit(period);
  const request = (query: UsageQuery) => requestReport({ ...common, ...query }, signal);
  const [report, all, previous, models] = await Promise.all([
    request({ groupBy, limit }),
    request({ interval: 'none' }),
    request({ ...toQuery(previousPeriod(period)), interval: 'none' }),
    groupBy === 'model' ? undefined : request({ groupBy: 'model', limit: groupLimit(period) }),
  ]);
  return {
    interval: period.interval,
    report,
    totals: totalsOf(all),
    previousTotals: new Date(previous.from) < new Date(previous.keptFrom) ? undefined : totalsOf(previous),
    byModel: models ?? report,
    currency: report.currency,
    length: period.length,
  };
}

function totalsOf({ groups }: UsageReport): UsageTotals {
  return groups[0]?.totals ?? noUsage;
}

export function toQuery({ from, to, interval }: UsagePeriod) {
  return { from: from.toISOString(), to: to.toISOString(), interval, timeZone: localTimeZone() };
}

export function requestReport(query: UsageQuery, signal?: AbortSignal): Promise<UsageReport> {
  return unwrap(api.GET('/usage', { params: { query }, signal }));
}
