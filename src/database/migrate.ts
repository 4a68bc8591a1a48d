import type { ClientConfig } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any number will do, as long as it stays the same: replicas that start together take turns on it. */
const migrationLock = 4_919_238_817;

/**
 * Brings the database up to date, then runs `afterwards` in a transaction; other replicas wait meanwhile.
 *
 * @returns what `afterwards` returned
 */
export async function migrate<Result>(
  database: ClientConfig,
  afterwards: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  const dataSource = await new DataSource(dataSourceOptions({ ...database, query_timeout: 0 })).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock]);
    await dataSource.runMigrations({ transaction: 'each' });
    return await dataSource.transaction(afterwards);
  } finally {
    await lock.query('select pg_advisory_unlock_all()').catch(() => undefined);
    await lock.release();
    await dataSource.destroy();
  }
}
