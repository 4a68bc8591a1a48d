import type { ClientConfig } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any number will do, as long as it stays the same: replicas that start together take turns on it. */
const migrationLock = 4_919_238_817;

/** Brings the database up to date; of several replicas one does it, and the others wait. */
export async function migrate(database: ClientConfig): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions({ ...database, query_timeout: 0 })).initialize();
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock]);
    await dataSource.runMigrations({ transaction: 'each' });
  } finally {
    // Ending the connections gives the lock back, too.
    await lock.release();
    await dataSource.destroy();
  }
}
