import type { DataSource } from 'typeorm';
import { fromInteger, toInteger } from '../common/money/decimal.js';
import { forecastMonth } from '../common/rules/month-forecast.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { loadStatement } from '../database/sql-file.js';
import { allKeys } from '../usage/history/packed-usage.js';
import { type UsageColumnName, usageColumns } from '../usage/usage-columns.js';
import type { UsagePeriod } from '../usage/usage-period.js';
import type { OverviewDto } from './dto/overview.dto.js';
import type { UsageSumsDto } from './dto/recent-usage.dto.js';
import type { RecentPeriods } from './recent-periods.js';

/** The columns of usage that an overview shows. */
const shown = ['inputTokens', 'outputTokens', 'pricedRequests', 'cost'] as const satisfies UsageColumnName[];
type ShownColumn = (typeof shown)[number];

/** What statement files repeat lines for. */
export const shownColumns = {
  columns: usageColumns.flatMap(({ name, column }) => (shown.some((one) => one === name) ? [{ name, column }] : [])),
};

/** Exported for the test that compares it with the schema. */
export const selectRecentUsage = loadStatement('overview/recent-usage.sql', {
  parameters: ['organizationId', 'from', 'to', 'starts'],
  fragments: { all_keys: allKeys },
  lists: shownColumns,
});

/** PostgreSQL's numbers as strings. */
export type SumsRow = Record<ShownColumn | 'requests' | 'failures', string>;

/** Sums of one hour or day. */
interface PointRow extends SumsRow {
  start: Date;
}

export const noUsage: UsageSumsDto = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: null,
  unpricedRequests: 0,
};

/** The parts of an overview that usage is read for. */
type RecentUsage = Required<Pick<OverviewDto, 'today' | 'month' | 'costForecast'>>;

/**
 * Reads the usage of the current day and month with one statement: of the earlier days, and of today's hours. The statement
 * also reads the days before the month that the forecast needs.
 */
export async function readRecentUsage(
  dataSource: Pick<DataSource, 'query'>,
  organizationId: string,
  { today, month, earlier, daysLeft }: RecentPeriods,
  now: Date,
): Promise<RecentUsage> {
  const starts = [...earlier, ...today.starts];
  const values = selectRecentUsage.bind({ organizationId, from: starts[0], to: today.to, starts });
  const rows = await dataSource.query<PointRow[]>(selectRecentUsage.text, values);
  const sums = new Map(rows.map((row) => [row.start.getTime(), toSums(row)]));
  const points = starts.map((start) => ({ start: start.toISOString(), ...(sums.get(start.getTime()) ?? noUsage) }));
  const [daysBefore, hours] = [points.slice(0, earlier.length), points.slice(earlier.length)];
  const sumsOfToday = add(hours);
  const days = [
    ...daysBefore.slice(earlier.length - (month.starts.length - 1)),
    { start: today.from.toISOString(), ...sumsOfToday },
  ];
  const sumsOfMonth = add(days);
  const forecasted = forecastMonth(
    {
      used: costOf(sumsOfMonth),
      today: costOf(sumsOfToday),
      earlier: daysBefore.map(costOf),
      daysLeft,
    },
    { start: month.from.getTime(), end: month.to.getTime() },
    now.getTime(),
  );
  return {
    today: { ...boundsOf(today), totals: sumsOfToday, points: hours },
    month: { ...boundsOf(month), totals: sumsOfMonth, points: days },
    costForecast: forecasted === undefined ? null : fromInteger(forecasted, costDecimals),
  };
}

const costOf = ({ cost }: Pick<UsageSumsDto, 'cost'>) => (cost === null ? 0n : toInteger(cost, costDecimals));

const boundsOf = ({ from, to }: UsagePeriod) => ({ from: from.toISOString(), to: to.toISOString() });

export function toSums({ requests, failures, inputTokens, outputTokens, pricedRequests, cost }: SumsRow): UsageSumsDto {
  return {
    requests: Number(requests),
    failures: Number(failures),
    inputTokens: Number(inputTokens),
    outputTokens: Number(outputTokens),
    cost: Number(pricedRequests) > 0 ? fromInteger(BigInt(cost), costDecimals) : null,
    unpricedRequests: Number(requests) - Number(pricedRequests),
  };
}

function add(parts: readonly UsageSumsDto[]): UsageSumsDto {
  const sum = (name: Exclude<keyof UsageSumsDto, 'cost'>) => parts.reduce((total, part) => total + part[name], 0);
  const costs = parts.flatMap(({ cost }) => (cost === null ? [] : [toInteger(cost, costDecimals)]));
  return {
    requests: sum('requests'),
    failures: sum('failures'),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    cost:
      costs.length === 0
        ? null
        : fromInteger(
            costs.reduce((total, cost) => total + cost, 0n),
            costDecimals,
          ),
    unpricedRequests: sum('unpricedRequests'),
  };
}
