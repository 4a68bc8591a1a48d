import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type Logger as TypeOrmLogger } from 'typeorm';
import type { DatabaseConnection } from '../config/database-connection.js';
import { errorCode, errorMessage } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import { dataSourceOptions } from './data-source-options.js';
import { explainFailedChange } from './explain-failed-change.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';
import { MarkMigrationTransaction, MigrationWatchdog } from './migration-watchdog.js';

/** Key of the advisory lock. Any number works, as long as all replicas use the same. */
const migrationLock = 4_919_238_817;

const lockPollMilliseconds = 200;

interface MigrateOptions {
  /** This release's by default. */
  migrations?: DataSourceOptions['migrations'];
  /**
   * How long a statement waits for a lock. Meanwhile, all other queries on the table queue behind it, including API key
   * verification.
   */
  lockTimeoutMilliseconds?: number;
  /** How long another session may wait for locks that a migration already holds. */
  maxBlockMilliseconds?: number;
  /** Pause after the first failed attempt; doubled after each further one, up to 5 s. */
  pauseMilliseconds?: number;
  /** How long to retry before the start fails. */
  patienceMilliseconds?: number;
  /** Reports retries. */
  logger?: { warn: (fields: object, message: string) => void };
}

/** TypeORM's default logger prints each failed attempt to the console. */
const noLogger: TypeOrmLogger = {
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: () => undefined,
  logSchemaBuild: () => undefined,
  logMigration: () => undefined,
  log: () => undefined,
};

/**
 * Applies pending migrations. If several replicas start together, one migrates and the others wait. Each migration runs in
 * its own transaction unless it sets `transaction = false`. A migration that doesn't get its locks in time, or blocks
 * others for too long, is rolled back and retried.
 *
 * @throws StartupError if the operator has to fix something, such as locks that others hold or tables that belong to
 *   another role; PostgreSQL's error if a migration fails
 */
export async function migrate(database: DatabaseConnection, options: MigrateOptions = {}): Promise<void> {
  try {
    await withMigrationLock(database, async (lock) => {
      const watchdog = new MigrationWatchdog(lock, options.maxBlockMilliseconds ?? 1000);
      await runMigrations(database, options, watchdog).finally(() => watchdog.stop());
    });
  } catch (error) {
    throw await explainFailedChange('The database could not be migrated', error, database);
  }
}

/** Waits until no other process migrates the database, and keeps others from migrating it while `work` runs. */
export async function withMigrationLock<Result>(
  database: DatabaseConnection,
  work: (lock: FaultTolerantClient) => Promise<Result>,
): Promise<Result> {
  const lock = new FaultTolerantClient({ ...database, application_name: 'keycard migration lock', query_timeout: 0 });
  await lock.connect();
  try {
    // A separate connection, because the lock ends with its session.
    await lock.query('set statement_timeout = 0; set lock_timeout = 0; set idle_session_timeout = 0');
    await acquireMigrationLock(lock);
    return await work(lock);
  } finally {
    await lock.end().catch(() => undefined);
  }
}

/**
 * Waits for the migration lock by polling. A statement waiting for the lock would deadlock with a concurrent index
 * creation, which waits for all older statements, and PostgreSQL wouldn't detect it.
 */
async function acquireMigrationLock(lock: FaultTolerantClient): Promise<void> {
  const attempt = () => lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock]);
  while ((await attempt()).rows[0]?.taken !== true) await delay(lockPollMilliseconds);
}

async function runMigrations(
  database: DatabaseConnection,
  options: MigrateOptions,
  watchdog: MigrationWatchdog,
): Promise<void> {
  const { lockTimeoutMilliseconds = 1000, pauseMilliseconds = 500, patienceMilliseconds = 10 * 60_000 } = options;
  const base = dataSourceOptions({ ...database, query_timeout: 0 });
  const migrations = options.migrations ?? base.migrations;
  // One connection, so that the settings below apply to every statement.
  const own = { poolSize: 1, migrations, logger: noLogger, subscribers: [MarkMigrationTransaction] };
  const deadline = performance.now() + patienceMilliseconds;
  for (let pause = pauseMilliseconds; ; pause = Math.min(2 * pause, 5000)) {
    const dataSource = await new DataSource({ ...base, ...own } as DataSourceOptions).initialize();
    try {
      await dataSource.query(`set statement_timeout = 0; set lock_timeout = ${lockTimeoutMilliseconds}`);
      await dataSource.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      const hasBlockedOthers = await watchdog.takeInterruption();
      if (!hasBlockedOthers && !isLockConflict(error)) throw error;
      const reason = hasBlockedOthers ? 'requests waited for its locks' : errorMessage(error);
      if (performance.now() + pause > deadline) throw hasBlockedOthers ? blocksOthers(error) : locksNotAvailable(error);
      options.logger?.warn({ reason, retryInMilliseconds: pause }, 'A database migration was rolled back; retrying.');
    } finally {
      await dataSource.destroy();
    }
    await delay(pause);
  }
}

/** `lock_not_available` and `deadlock_detected`. */
function isLockConflict(error: unknown): boolean {
  return ['55P03', '40P01'].includes(errorCode(error) ?? '');
}

function locksNotAvailable(cause: unknown): StartupError {
  const advice = 'find long transactions in pg_stat_activity, end them, and start Keycard again';
  return startupError(`The database could not be migrated because its tables are locked: ${advice}.`, cause);
}

function blocksOthers(cause: unknown): StartupError {
  const advice = 'stop all replicas, then start one of this release';
  return startupError(`The database could not be migrated because requests waited for a migration: ${advice}.`, cause);
}

function startupError(message: string, cause: unknown): StartupError {
  const error = new StartupError(message);
  error.cause = cause;
  return error;
}
