import type { EntityManager } from 'typeorm';
import { fromInteger } from '../common/money/decimal.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { loadStatement } from '../database/sql-file.js';
import type { LimitStateDto } from '../limits/dto/limit.dto.js';
import { type RecentUsageDto, recentDays } from './dto/recent-use.dto.js';

export const selectRecentUse = loadStatement('api-keys/read-recent-use.sql', {
  parameters: ['organizationId', 'ids', 'from'],
});

/** A row of read-recent-use.sql. PostgreSQL's bigints as strings. */
interface DayRow {
  id: string;
  day: string;
  requests: string;
  failures: string;
  pricedRequests: string;
  cost: string;
}

const dayMilliseconds = 86_400_000;

/** Reads the usage of an organization's keys on the last UTC days, in one statement. Returns a function of a key's id. */
export async function readRecentUse(
  manager: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<(id: string) => RecentUsageDto> {
  const today = Math.floor(Date.now() / dayMilliseconds);
  const days = Array.from({ length: recentDays }, (_, index) => toDate(today - recentDays + 1 + index));
  const from = `${days[0]}T00:00:00Z`;
  const values = selectRecentUse.bind({ organizationId, ids, from });
  const rows = await manager.query<DayRow[]>(selectRecentUse.text, values);
  return (id) =>
    toRecentUse(
      rows.filter((row) => row.id === id),
      days,
    );
}

function toRecentUse(rows: readonly DayRow[], days: readonly string[]): RecentUsageDto {
  const requests = new Map(rows.map((row) => [row.day, Number(row.requests)]));
  const sum = (field: 'requests' | 'failures' | 'pricedRequests' | 'cost') =>
    rows.reduce((total, row) => total + BigInt(row[field]), 0n);
  return {
    requests: Number(sum('requests')),
    failures: Number(sum('failures')),
    cost: sum('pricedRequests') > 0n ? fromInteger(sum('cost'), costDecimals) : null,
    requestsByDay: days.map((day) => requests.get(day) ?? 0),
  };
}

const toDate = (day: number) => new Date(day * dayMilliseconds).toISOString().slice(0, 10);

/** The limit closest to its maximum; undefined without limits. */
export function fullestOf(limits: readonly LimitStateDto[]): LimitStateDto | undefined {
  const [fullest] = limits.toSorted((one, other) => shareOf(other) - shareOf(one));
  return fullest;
}

function shareOf({ used, remaining }: LimitStateDto): number {
  const [usedAmount, remainingAmount] = [Number(used), Number(remaining)];
  return remainingAmount === 0 ? Infinity : usedAmount / (usedAmount + remainingAmount);
}
