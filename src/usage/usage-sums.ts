import type { UsagePointDto, UsageTotalsDto } from './dto/usage-report.dto.js';
import { millisecondsOfBucket } from './latency-buckets.js';
import type { UsageRow } from './read-usage.js';

/** The sums of one group, without gaps. */
export interface UsageSums {
  /** Id of the key or of the model; empty where nothing is grouped. */
  group: string;
  totals: UsageTotalsDto;
  points: UsagePointDto[];
}

const noUsage: UsageTotalsDto = {
  requests: 0,
  failures: 0,
  inputTokens: 0,
  pages: 0,
  meanMilliseconds: null,
  p95Milliseconds: null,
};

/**
 * The rows by group, that with the most requests first.
 *
 * @param starts when each interval begins; those without a row get zeros
 */
export function toUsageSums(rows: readonly UsageRow[], starts: readonly Date[]): UsageSums[] {
  const totalsOfGroups = rows.filter(({ start }) => start === null);
  const rowsOfPoints = new Map(rows.map((row) => [`${row.start?.getTime()} ${row.group}`, row]));
  const sums = totalsOfGroups.map((row) => ({
    group: row.group,
    totals: toTotals(row),
    points: starts.map((start) => ({
      start: start.toISOString(),
      ...toTotals(rowsOfPoints.get(`${start.getTime()} ${row.group}`)),
    })),
  }));
  return sums.sort((one, other) => other.totals.requests - one.totals.requests || compare(one.group, other.group));
}

/** A group that has used nothing. */
export function emptySums(starts: readonly Date[]): UsageSums {
  return {
    group: '',
    totals: noUsage,
    points: starts.map((start) => ({ start: start.toISOString(), ...noUsage })),
  };
}

function toTotals(row: UsageRow | undefined): UsageTotalsDto {
  if (row === undefined) return noUsage;
  const requests = Number(row.requests);
  return {
    requests,
    failures: Number(row.failures),
    inputTokens: Number(row.inputTokens),
    pages: Number(row.pages),
    meanMilliseconds: toMicroseconds(Number(row.microseconds) / 1000 / requests),
    p95Milliseconds: toMicroseconds(millisecondsOfBucket(row.p95Bucket)),
  };
}

/** Milliseconds with three decimals. */
function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
