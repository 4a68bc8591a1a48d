import { fromInteger } from '../common/money/decimal.js';
import { type MeterName, meters } from '../common/rules/meters.js';
import { costDecimals } from '../common/rules/price-rules.js';
import type { UsageGroupDto, UsageOthersDto, UsageSeriesDto, UsageTotalsDto } from './dto/usage-report.dto.js';
import { maxMillisecondsOfBucket } from './latency-buckets.js';
import type { UsageRow } from './read-usage.js';

/** Totals and points of one group, without gaps. */
export interface UsageSums extends UsageSeriesDto, Pick<UsageGroupDto, 'comparedUsageFrom' | 'comparedCostFrom'> {
  /** Id of the API key, model or creator, or a tag; empty without grouping, for an unknown model or creator and without tags. */
  group: string;
}

const noUsage: UsageTotalsDto = {
  ...amountsOf(() => 0),
  requests: 0,
  failures: 0,
  limited: 0,
  cost: null,
  unpricedRequests: 0,
  medianMilliseconds: null,
  p95Milliseconds: null,
  p99Milliseconds: null,
  firstTokenMilliseconds: null,
};

/** What was read of a report. */
export interface ReadRows {
  rows: readonly UsageRow[];
  /** Of the period to compare with, without intervals; undefined without one. */
  previousRows: readonly UsageRow[] | undefined;
  /** Of all intervals; those without a row get zeros. */
  starts: readonly Date[];
}

/**
 * Sums by group. Excludes groups that aren't on the page.
 *
 * @param groups of the page, in order
 */
export function toUsageSums({ rows, previousRows, starts }: ReadRows, groups: readonly string[]): UsageSums[] {
  const [rowsOfGroups, previous] = [byGroup(rows), previousRows && byGroup(previousRows)];
  return groups.flatMap((group) => {
    const [own, ownPrevious] = [rowsOfGroups.get(group), previous?.get(group)];
    // Usage can be deleted after the groups were found.
    if (own === undefined && ownPrevious === undefined) return [];
    return { group, ...toSeries(own, starts), ...(previous && { previousTotals: toTotals(ownPrevious?.[0]) }) };
  });
}

function byGroup(rows: readonly UsageRow[]): Map<string | null, UsageRow[]> {
  const groups = new Map<string | null, UsageRow[]>();
  for (const row of rows) {
    const rowsOfGroup = groups.get(row.group);
    if (rowsOfGroup === undefined) groups.set(row.group, [row]);
    else rowsOfGroup.push(row);
  }
  return groups;
}

/** Combines the groups on other pages. */
export function toOtherSums({ rows, previousRows, starts }: ReadRows, groupCount: number): UsageOthersDto {
  const isOther = ({ group }: UsageRow) => group === null;
  return {
    groupCount,
    ...toSeries(rows.filter(isOther), starts),
    ...(previousRows && { previousTotals: toTotals(previousRows.find(isOther)) }),
  };
}

/** A group without usage. */
export function emptySums({ previousRows, starts }: ReadRows): UsageSums {
  return { group: '', ...toSeries([], starts), ...(previousRows && { previousTotals: noUsage }) };
}

/** @param rows of one group */
function toSeries(rows: readonly UsageRow[] = [], starts: readonly Date[]): UsageSeriesDto {
  const rowsByStart = new Map(rows.map((row) => [row.start?.getTime(), row]));
  return {
    totals: toTotals(rowsByStart.get(undefined)),
    points: starts.map((start) => ({
      start: start.toISOString(),
      ...toTotals(rowsByStart.get(start.getTime())),
    })),
  };
}

/** An amount for each meter. */
function amountsOf(read: (name: MeterName) => number): Record<MeterName, number> {
  return Object.fromEntries(meters.map(({ name }) => [name, read(name)])) as Record<MeterName, number>;
}

function toTotals(row: UsageRow | undefined): UsageTotalsDto {
  if (row === undefined) return noUsage;
  return {
    requests: Number(row.requests),
    failures: Number(row.failures),
    limited: Number(row.limited),
    ...amountsOf((name) => Number(row[name])),
    medianMilliseconds: toMilliseconds(row.medianBucket),
    p95Milliseconds: toMilliseconds(row.p95Bucket),
    p99Milliseconds: toMilliseconds(row.p99Bucket),
    firstTokenMilliseconds: meanMilliseconds(row),
    cost: Number(row.pricedRequests) > 0 ? fromInteger(BigInt(row.cost), costDecimals) : null,
    unpricedRequests: Number(row.requests) - Number(row.pricedRequests),
  };
}

function meanMilliseconds({ firstTokens, firstTokenMicroseconds }: UsageRow): number | null {
  const count = Number(firstTokens);
  return count === 0 ? null : Math.round(Number(firstTokenMicroseconds) / count) / 1000;
}

function toMilliseconds(bucket: number | null): number | null {
  return bucket === null ? null : Math.round(maxMillisecondsOfBucket(bucket) * 1000) / 1000;
}
