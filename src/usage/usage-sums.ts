import type { UsageOthersDto, UsageSeriesDto, UsageTotalsDto } from './dto/usage-report.dto.js';
import { millisecondsOfBucket } from './latency-buckets.js';
import type { UsageRow } from './read-usage.js';

/** Totals and points of one group, without gaps. */
export interface UsageSums extends UsageSeriesDto {
  /** Id of the API key or model; empty without grouping and for an unknown model. */
  group: string;
}

const noUsage: UsageTotalsDto = {
  requests: 0,
  failures: 0,
  limited: 0,
  inputTokens: 0,
  pages: 0,
  meanMilliseconds: null,
  p95Milliseconds: null,
};

/**
 * Sums by group, sorted by number of requests, highest first. Excludes groups beyond the limit.
 *
 * @param starts of all intervals; those without a row get zeros
 */
export function toUsageSums(rows: readonly UsageRow[], starts: readonly Date[]): UsageSums[] {
  const rowsOfGroups = new Map<string, UsageRow[]>();
  for (const row of rows) {
    if (row.group === null) continue;
    const rowsOfGroup = rowsOfGroups.get(row.group);
    if (rowsOfGroup === undefined) rowsOfGroups.set(row.group, [row]);
    else rowsOfGroup.push(row);
  }
  const sums = Array.from(rowsOfGroups, ([group, ownRows]) => ({ group, ...toSeries(ownRows, starts) }));
  return sums.sort((one, other) => other.totals.requests - one.totals.requests || compare(one.group, other.group));
}

/** The sum of all groups beyond the limit; undefined if there are none. */
export function toOtherSums(rows: readonly UsageRow[], starts: readonly Date[]): UsageOthersDto | undefined {
  const rowsOfOthers = rows.filter(({ group }) => group === null);
  const [first] = rowsOfOthers;
  return first && { groupCount: first.otherGroupCount, ...toSeries(rowsOfOthers, starts) };
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
    points: starts.map((start) => ({ start: start.toISOString(), ...toTotals(rowsByStart.get(start.getTime())) })),
  };
}

function toTotals(row: UsageRow | undefined): UsageTotalsDto {
  if (row === undefined) return noUsage;
  const requests = Number(row.requests);
  return {
    requests,
    failures: Number(row.failures),
    limited: Number(row.limited),
    inputTokens: Number(row.inputTokens),
    pages: Number(row.pages),
    meanMilliseconds: requests === 0 ? null : roundToMicroseconds(Number(row.microseconds) / 1000 / requests),
    p95Milliseconds: row.p95Bucket === null ? null : roundToMicroseconds(millisecondsOfBucket(row.p95Bucket)),
  };
}

/** Rounds milliseconds to three decimals. */
function roundToMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
