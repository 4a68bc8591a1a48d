import { type MeterName, meters } from '../common/rules/meters.js';
import type { UsageOthersDto, UsageSeriesDto, UsageTotalsDto } from './dto/usage-report.dto.js';
import { maxMillisecondsOfBucket } from './latency-buckets.js';
import type { UsageRow } from './read-usage.js';

/** Totals and points of one group, without gaps. */
export interface UsageSums extends UsageSeriesDto {
  /** Id of the API key or model; empty without grouping and for an unknown model. */
  group: string;
}

/** What intervals and groups without usage look like. */
export interface EmptyUsage {
  /** The starts of all intervals. */
  starts: readonly Date[];
  /** Null without prices. */
  cost: 0 | null;
}

const noUsage: Omit<UsageTotalsDto, 'cost'> = {
  ...amountsOf(() => 0),
  requests: 0,
  failures: 0,
  limited: 0,
  unpricedRequests: 0,
  medianMilliseconds: null,
  p95Milliseconds: null,
  p99Milliseconds: null,
};

/**
 * Sums by group, sorted by number of requests, highest first. Excludes groups that aren't on the page.
 *
 * @param empty intervals without a row get zeros
 */
export function toUsageSums(rows: readonly UsageRow[], empty: EmptyUsage): UsageSums[] {
  const rowsOfGroups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    if (row.group === null) continue;
    const rowsOfGroup = rowsOfGroups.get(row.group);
    if (rowsOfGroup === undefined) rowsOfGroups.set(row.group, [row]);
    else rowsOfGroup.push(row);
  }
  const sums = Array.from(rowsOfGroups, ([group, ownRows]) => ({ group, ...toSeries(ownRows, empty) }));
  return sums.sort((one, other) => other.totals.requests - one.totals.requests || compare(one.group, other.group));
}

/** Combines the groups on other pages. */
export function toOtherSums(rows: readonly UsageRow[], empty: EmptyUsage, groupCount: number): UsageOthersDto {
  const rowsOfOthers = rows.filter(({ group }) => group === null);
  return { groupCount, ...toSeries(rowsOfOthers, empty) };
}

/** A group without usage. */
export function emptySums(empty: EmptyUsage): UsageSums {
  return { group: '', ...toSeries([], empty) };
}

/** @param rows of one group */
function toSeries(rows: readonly UsageRow[], { starts, cost: emptyCost }: EmptyUsage): UsageSeriesDto {
  const rowsByStart = new Map(rows.map((row) => [row.start?.getTime(), row]));
  const totals = toTotals(rowsByStart.get(undefined), emptyCost);
  const emptyPointCost = totals.cost === null ? null : emptyCost;
  return {
    totals,
    points: starts.map((start) => ({
      start: start.toISOString(),
      ...toTotals(rowsByStart.get(start.getTime()), emptyPointCost),
    })),
  };
}

/** An amount for each meter. */
function amountsOf(read: (name: MeterName) => number): Record<MeterName, number> {
  return Object.fromEntries(meters.map(({ name }) => [name, read(name)])) as Record<MeterName, number>;
}

function toTotals(row: UsageRow | undefined, emptyCost: number | null): UsageTotalsDto {
  if (row === undefined) return { ...noUsage, cost: emptyCost };
  return {
    requests: Number(row.requests),
    failures: Number(row.failures),
    limited: Number(row.limited),
    ...amountsOf((name) => Number(row[name])),
    medianMilliseconds: toMilliseconds(row.medianBucket),
    p95Milliseconds: toMilliseconds(row.p95Bucket),
    p99Milliseconds: toMilliseconds(row.p99Bucket),
    cost: toCost(row, emptyCost),
    unpricedRequests: Number(row.unpriced),
  };
}

function toCost({ requests, unpriced, cost }: UsageRow, emptyCost: number | null): number | null {
  if (Number(requests) > Number(unpriced)) return round(cost, 1_000_000);
  return Number(requests) > 0 ? null : emptyCost;
}

function toMilliseconds(bucket: number | null): number | null {
  return bucket === null ? null : round(maxMillisecondsOfBucket(bucket), 1000);
}

function round(value: number, factor: number): number {
  return Math.round(value * factor) / factor;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
