import type { EntityManager } from 'typeorm';
import { fromInteger } from '../common/money/decimal.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { loadStatement } from '../database/sql-file.js';
import { recordedColumns } from '../limits/recorded-usage.js';

export const selectMonthCost = loadStatement('api-keys/read-month-cost.sql', {
  parameters: ['ownerId', 'organizationId'],
  lists: recordedColumns,
});

interface MonthCost {
  /** Of the organization's time zone, such as `2026-11`. */
  month: string;
  /** A decimal. */
  amount: string;
}

/** Reads what a key has cost in the current month; undefined if its organization was deleted. */
export async function readMonthCost(
  manager: EntityManager,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<MonthCost | undefined> {
  const values = selectMonthCost.bind({ ownerId: id, organizationId });
  const [row] = await manager.query<{ month: string; cost: string }[]>(selectMonthCost.text, values);
  return row && { month: row.month, amount: fromInteger(BigInt(row.cost), costDecimals) };
}
