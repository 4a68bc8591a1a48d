import { fromInteger } from '../common/money/decimal.js';
import { type MeterName, meters } from '../common/rules/meters.js';
import { costDecimals } from '../common/rules/price-rules.js';
import type { UsageOthersDto, UsageSeriesDto, UsageTotalsDto } from './dto/usage-report.dto.js';
import { maxMillisecondsOfBucket } from './latency-buckets.js';
import type { UsageRow } from './read-usage.js';

/** Totals and points of one group, without gaps. */
export interface UsageSums extends UsageSeriesDto {
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

/**
 * Sums by group. Excludes groups that aren't on the page.
 *
 * @param groups of the page, in order
 * @param starts of all intervals; those without a row get zeros
 */
export function toUsageSums(
  rows: readonly UsageRow[],
  groups: readonly string[],
  starts: readonly Date[],
): UsageSums[] {
  const rowsOfGroups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    if (row.group === null) continue;
    const rowsOfGroup = rowsOfGroups.get(row.group);
    if (rowsOfGroup === undefined) rowsOfGroups.set(row.group, [row]);
    else rowsOfGroup.push(row);
  }
  return groups.flatMap((group) => {
    const ownRows = rowsOfGroups.get(group);
    // Usage can be deleted after the groups were found.
    return ownRows === undefined ? [] : { group, ...toSeries(ownRows, starts) };
  });
}

/** Combines the groups on other pages. */
export function toOtherSums(rows: readonly UsageRow[], starts: readonly Date[], groupCount: number): UsageOthersDto {
  const rowsOfOthers = rows.filter(({ group }) => group === null);
  return { groupCount, ...toSeries(rowsOfOthers, starts) };
}

/** A group without usage. */
export function emptySums(starts: readonly Date[]): UsageSums {
  return { group: '', ...toSeries([], starts) };
}

/** @param rows of one group */
function toSeries(rows: readonly UsageRow[], starts: readonly Date[]): UsageSeriesDto {
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
