import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { operations, UsageReport, UsageTotals } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { pluralize } from '../../lib/format-numbers.js';
import type { UsageSearch } from './search.js';
import { groupLimit, toUsagePeriod, type UsagePeriod } from './filters/usage-period.js';

type UsageQuery = NonNullable<operations['getUsage']['parameters']['query']>;

/** Usage in a range. */
export interface Usage {
  interval: UsagePeriod['interval'];
  /** By group and interval. */
  report: UsageReport;
  /** Totals of all groups. */
  totals: UsageTotals;
}

/** The service's limit for groups. */
const maxGroups = 100;

/** The usage of the range in the URL. The previous range stays visible while another loads. */
export function usageQuery(search: UsageSearch) {
  return queryOptions({
    queryKey: ['usage', 'report', search],
    queryFn: ({ signal }) => readUsage(search, signal),
    placeholderData: keepPreviousData,
  });
}

/** The keys or models used in the range, busiest first. */
export function usedQuery(groupBy: 'apiKey' | 'model', { range, from, to }: UsageSearch) {
  return queryOptions({
    queryKey: ['usage', 'used', { groupBy, range, from, to }],
    queryFn: async ({ signal }) => {
      const period = toUsagePeriod({ range, from, to, groupBy }, new Date());
      const query = { ...toQuery(period), interval: 'none', groupBy, limit: maxGroups } as const;
      return (await requestReport(query, signal)).groups;
    },
    placeholderData: keepPreviousData,
  });
}

/** The number of requests made with a key in the last 24 hours, as text. */
export function lastDayQuery(apiKeyId: string) {
  return queryOptions({
    queryKey: ['usage', 'last-day', apiKeyId],
    queryFn: async ({ signal }) => {
      const report = await requestReport({ apiKeyId, interval: 'none', groupBy: 'none' }, signal);
      const count = report.groups[0]?.totals.requests ?? 0;
      return count === 0 ? 'no requests' : pluralize(count, 'request');
    },
  });
}

async function readUsage(search: UsageSearch, signal: AbortSignal): Promise<Usage> {
  const period = toUsagePeriod(search, new Date());
  const { groupBy, apiKeyId, model } = search;
  const common = { ...toQuery(period), apiKeyId, model };
  const limit = groupBy === 'none' ? undefined : groupLimit(period);
  const [report, all] = await Promise.all([
    requestReport({ ...common, groupBy, limit }, signal),
    // The percentile of all requests can't be computed from those of groups.
    requestReport({ ...common, interval: 'none' }, signal),
  ]);
  return { interval: period.interval, report, totals: all.groups[0]?.totals ?? noUsage };
}

function toQuery({ from, to, interval }: UsagePeriod) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { from: from.toISOString(), to: to.toISOString(), interval, timeZone };
}

function requestReport(query: UsageQuery, signal: AbortSignal): Promise<UsageReport> {
  return unwrap(api.GET('/usage', { params: { query }, signal }));
}

const noUsage: UsageTotals = {
  requests: 0,
  failures: 0,
  limited: 0,
  inputTokens: 0,
  pages: 0,
  meanMilliseconds: null,
  p95Milliseconds: null,
};
