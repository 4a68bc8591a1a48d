import { MigrationExecutor, type QueryRunner } from 'typeorm';
import { version } from '../../common/package-info.js';
import { type AdminContext, CommandError } from '../admin-command.js';
import { appliedMigrations } from './applied-migrations.js';
import { recordMigration } from './record-migration.js';

/** A long transaction of another program must not keep the tables locked behind this one. */
const lockTimeoutMilliseconds = 10_000;

interface Reverted {
  name: string;
  /** The last migration that remains. */
  previous: string;
  isRecorded: boolean;
}

/**
 * Reverts the last migration in the runner's transaction, with its audit event.
 *
 * @param isForced even while other processes of Keycard are connected
 * @throws CommandError if only the first migration is applied, another release made the last one, or Keycard runs
 */
export async function revertLastMigration(
  runner: QueryRunner,
  operator: AdminContext['operator'],
  isForced: boolean,
): Promise<Reverted> {
  const applied = await appliedMigrations(runner);
  const [name, previous] = [applied.at(-1), applied.at(-2)];
  if (name === undefined) throw new CommandError('The database has no migration to revert.');
  if (previous === undefined) throw new CommandError(`${name} can't be reverted: that would delete all data.`);
  if (!runner.connection.migrations.some((migration) => migration.name === name)) {
    throw new CommandError(
      `The last migration, ${name}, isn't part of Keycard ${version}. Revert it with the release that applied it.`,
    );
  }
  if (!isForced) await assertStopped(runner);
  await runner.query(`set local statement_timeout = 0; set local lock_timeout = ${lockTimeoutMilliseconds}`);
  // First: the migration may remove what the event needs.
  const isRecorded = await recordMigration(runner, operator, {
    action: 'database.revert',
    before: { migration: name },
  });
  await new MigrationExecutor(runner.connection, runner).undoLastMigration();
  return { name, previous, isRecorded };
}

/** Replicas of this release would fail without the migration. */
async function assertStopped(runner: QueryRunner): Promise<void> {
  const rows = (await runner.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name = 'keycard' and pid <> pg_backend_pid()`,
  )) as { count: number }[];
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  throw new CommandError(
    `Keycard is running: it has ${count === 1 ? '1 connection' : `${count} connections`} to the database. ` +
      'Stop all replicas of this release first. If only replicas of the previous release run, repeat with --force.',
  );
}
