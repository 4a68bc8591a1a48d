import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import type { operations, UsageReport, UsageTotals } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import type { UsageSearch } from './search.js';
import { groupLimit, toUsagePeriod, type UsagePeriod } from './filters/usage-period.js';

type UsageQuery = NonNullable<operations['getUsage']['parameters']['query']>;

/** What was used in a range. */
export interface Usage {
  interval: UsagePeriod['interval'];
  /** By group and by interval. */
  report: UsageReport;
  /** Of all groups together. */
  totals: UsageTotals;
}

/** The most groups that the service sums up one by one. */
const mostFilterValues = 100;

/** What was used in the range of the address. While another range loads, the one before stays. */
export function usageQuery(search: UsageSearch) {
  return queryOptions({
    queryKey: ['usage', 'report', search],
    queryFn: ({ signal }) => readUsage(search, signal),
    placeholderData: keepPreviousData,
  });
}

/** The keys or the models that were used in the range, the busiest first. */
export function usedQuery(groupBy: 'apiKey' | 'model', { range, from, to }: UsageSearch) {
  return queryOptions({
    queryKey: ['usage', 'used', { groupBy, range, from, to }],
    queryFn: async ({ signal }) => {
      const period = toUsagePeriod({ range, from, to, groupBy }, new Date());
      const query = { ...toQuery(period), interval: 'none', groupBy, limit: mostFilterValues } as const;
      return (await requestReport(query, signal)).groups;
    },
    placeholderData: keepPreviousData,
  });
}

async function readUsage(search: UsageSearch, signal: AbortSignal): Promise<Usage> {
  const period = toUsagePeriod(search, new Date());
  const { groupBy, apiKeyId, model } = search;
  const common = { ...toQuery(period), apiKeyId, model };
  const limit = groupBy === 'none' ? undefined : groupLimit(period);
  const [report, all] = await Promise.all([
    requestReport({ ...common, groupBy, limit }, signal),
    // Percentiles of groups do not add up to that of all.
    requestReport({ ...common, interval: 'none' }, signal),
  ]);
  return { interval: period.interval, report, totals: all.groups[0]?.totals ?? noUsage };
}

function toQuery({ from, to, interval }: UsagePeriod) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { from: from.toISOString(), to: to.toISOString(), interval, timeZone };
}

/** What the service has recorded. */
export async function requestReport(query: UsageQuery, signal: AbortSignal): Promise<UsageReport> {
  const answer = await unwrap(api.GET('/usage', { params: { query }, signal }));
  if (typeof answer === 'string') throw new TypeError('The usage came as a file, which was not asked for.');
  return answer;
}

const noUsage: UsageTotals = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  pages: 0,
  meanMilliseconds: null,
  p95Milliseconds: null,
};
