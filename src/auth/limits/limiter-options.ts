import { hash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { transactLocally } from '../../database/run-transaction.js';

interface Query {
  text: string;
  values: unknown[];
}

/** Options for a limiter. All share one table, created by a migration, and TypeORM's connections. */
export function limiterOptions(dataSource: DataSource, name: string) {
  return {
    storeClient: { query: (query: Query) => runQuery(dataSource, query) },
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    clearExpiredByTimeout: false,
  };
}

/** Losing counts in a failover is acceptable; waiting for a synchronous standby at each sign-in isn't. */
function runQuery(dataSource: DataSource, { text, values }: Query) {
  return transactLocally(dataSource, async ({ queryRunner }) => {
    const result = await queryRunner?.query(text, values, true);
    return { rows: result?.records ?? [], rowCount: result?.affected ?? 0 };
  });
}

/** Keys are stored as hashes, so the table doesn't reveal emails or IP addresses, and keys of any length fit. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}
