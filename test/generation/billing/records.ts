import pg from 'pg';
import type { DatabaseConnection } from '../../../src/config/database-connection.js';
import type { Bill } from '../../setup/generation-upstream/bill.js';
import type { TokenCounts } from '../../setup/generation-upstream/plan.js';

/** What Keycard recorded of one key. */
export interface UsageRecord extends TokenCounts {
  requests: number;
  failures: number;
  estimated: number;
}

/** Returns committed usage by key id. */
export async function readRecords(database: DatabaseConnection): Promise<Map<string, UsageRecord>> {
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query<UsageRecord & { id: string }>(
    `select api_key_id as id, coalesce(sum(requests), 0)::int as requests, coalesce(sum(failures), 0)::int as failures,
       coalesce(sum(input_tokens), 0)::int as input, coalesce(sum(cached_input_tokens), 0)::int as "cachedInput",
       coalesce(sum(cache_write_tokens), 0)::int as "cacheWrite", coalesce(sum(output_tokens), 0)::int as output,
       coalesce(sum(reasoning_tokens), 0)::int as reasoning, coalesce(sum(estimated_requests), 0)::int as estimated
     from usage group by api_key_id`,
  );
  await client.end();
  return new Map(rows.map(({ id, ...sums }) => [id, sums]));
}

export const noUsage: UsageRecord = {
  requests: 0,
  failures: 0,
  estimated: 0,
  input: 0,
  cachedInput: 0,
  cacheWrite: 0,
  output: 0,
  reasoning: 0,
};

const fields = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const;

/** Adds up the bills of one request, which may have been sent to the upstream several times. */
export function sumBills(bills: Bill[]): TokenCounts {
  const sum: TokenCounts = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };
  for (const bill of bills) for (const field of fields) sum[field] += bill[field];
  return sum;
}

/** Whether the record equals the bill, and isn't an estimate. */
export function isExact(record: UsageRecord, billed: TokenCounts): boolean {
  return record.estimated === 0 && fields.every((field) => record[field] === billed[field]);
}

/** Whether the record says that it's an estimate, and covers the bill. */
export function isSafeEstimate(record: UsageRecord, billed: TokenCounts): boolean {
  return record.estimated > 0 && record.input >= billed.input && record.output >= billed.output;
}
