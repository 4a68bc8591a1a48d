import type { DataSource } from 'typeorm';
import { fromInteger, toInteger } from '../common/money/decimal.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { readUsage } from '../usage/read-usage.js';
import type { UsageSeriesDto, UsageTotalsDto } from '../usage/dto/usage-report.dto.js';
import type { UsagePeriod } from '../usage/usage-period.js';
import { emptySums, toUsageSums } from '../usage/usage-sums.js';
import type { RecentUsageDto, UsageSumsDto } from './dto/recent-usage.dto.js';
import { recentPeriods } from './recent-periods.js';

/** Reads the usage of the current day and month with one statement: of the earlier days, and of today's hours. */
export async function readRecentUsage(
  dataSource: DataSource,
  organizationId: string,
  timeZone: string,
  now: Date,
): Promise<{ today: RecentUsageDto; month: RecentUsageDto }> {
  const { today, month } = recentPeriods(timeZone, now);
  const earlier = month.starts.slice(0, -1);
  const period = { from: month.from, to: today.to, starts: [...earlier, ...today.starts] };
  const selection = { groupBy: 'none', organizationId, period, apiKeyIds: undefined } as const;
  const rows = await readUsage(dataSource, selection, { groups: [''], otherCount: 0 });
  const { totals, points }: UsageSeriesDto = toUsageSums(rows, [''], period.starts)[0] ?? emptySums(period.starts);
  const shown = points.map((point) => ({ start: point.start, ...pick(point) }));
  const hours = shown.slice(earlier.length);
  const sumsOfToday = add(hours);
  const days = [...shown.slice(0, earlier.length), { start: today.from.toISOString(), ...sumsOfToday }];
  return {
    today: { ...boundsOf(today), totals: sumsOfToday, points: hours },
    month: { ...boundsOf(month), totals: pick(totals), points: days },
  };
}

const boundsOf = ({ from, to }: UsagePeriod) => ({ from: from.toISOString(), to: to.toISOString() });

function pick(totals: UsageTotalsDto): UsageSumsDto {
  const { requests, failures, inputTokens, outputTokens, cost, unpricedRequests } = totals;
  return { requests, failures, inputTokens, outputTokens, cost, unpricedRequests };
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
