import { hash } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** What all limiters share: one table, made by a migration, through the connections of TypeORM. */
export function limiterOptions(dataSource: DataSource, name: string) {
  return {
    storeClient: dataSource,
    storeType: 'typeorm',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: name,
    clearExpiredByTimeout: false,
  };
}

/** Keys are kept hashed: the table tells nobody who has tried what, and every key fits. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}
