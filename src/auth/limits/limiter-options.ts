import { hash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { transactLocally } from '../../database/run-transaction.js';

interface Query {
  text: string;
  values: unknown[];
}

/** Options of every limiter. They share a table, which a migration creates, and the connections of TypeORM. */
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

/** Counters may be lost in a failover: sign-in must not wait for a synchronous standby. */
function runQuery(dataSource: DataSource, { text, values }: Query) {
  return transactLocally(dataSource, async ({ queryRunner }) => {
    const result = await queryRunner?.query(text, values, true);
    return { rows: result?.records ?? [], rowCount: result?.affected ?? 0 };
  });
}

/** Keys are kept hashed: the table tells nobody who has tried what, and every key fits. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}
