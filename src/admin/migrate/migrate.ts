import { DataSource, type QueryRunner } from 'typeorm';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { describeDatabase } from '../../config/read-config.js';
import { dataSourceOptions } from '../../database/data-source-options.js';
import { migrate as applyPending, withMigrationLock } from '../../database/migrate.js';
import { runTransaction } from '../../database/run-transaction.js';
import { type AdminCommand, type AdminContext, CommandError } from '../admin-command.js';
import { findServer } from '../find-server.js';
import { appliedMigrations, ownMigrations } from './applied-migrations.js';
import { recordMigration } from './record-migration.js';
import { revertLastMigration } from './revert-last-migration.js';

export const migrate: AdminCommand = {
  parameters: [],
  description: 'Apply all pending migrations, as the start of the service does.',
  flags: {
    list: 'List the migrations of this release and whether they are applied, and change nothing.',
    revert:
      'Revert the last applied migration, and print its name. Deletes the data in the columns and tables it added.',
    force: 'With --revert: even while replicas are connected to the database.',
  },
  audited: ['database.migrate', 'database.revert'],
  run: async (context, _parameters, flags) => {
    assertCompatible(flags);
    const server = await findServer(context.config);
    try {
      if (flags.has('list')) return await list(server.connection);
      if (flags.has('revert')) return await revert(server.connection, context, flags.has('force'));
      return await apply(server.connection, context);
    } catch (error) {
      throw explain(error);
    } finally {
      await server.stop();
    }
  },
};

function assertCompatible(flags: ReadonlySet<string>): void {
  if (flags.has('list') && flags.has('revert')) throw new CommandError('Use either --list or --revert.');
  if (flags.has('force') && !flags.has('revert')) throw new CommandError('--force is only for --revert.');
}

async function list(connection: DatabaseConnection): Promise<string> {
  const applied = await inTransaction(connection, (runner) => appliedMigrations(runner));
  const own = ownMigrations();
  const foreign = applied.filter((name) => !own.includes(name));
  return [
    ...own.map((name) => `${applied.includes(name) ? 'applied' : 'pending'}  ${name}`),
    ...foreign.map((name) => `applied  ${name} (of another release)`),
  ].join('\n');
}

async function apply(connection: DatabaseConnection, { config, operator, progress }: AdminContext): Promise<string> {
  const readApplied = () => inTransaction(connection, (runner) => appliedMigrations(runner));
  const before = await readApplied();
  const warn = ({ reason }: { reason?: string }, message: string) => progress.finish(`${message} ${reason}`);
  await applyPending(connection, { logger: { warn } });
  const applied = (await readApplied()).filter((name) => !before.includes(name));
  const name = describeDatabase(config);
  if (applied.length === 0) return `${name} is up to date.`;
  await inTransaction(connection, (runner) =>
    recordMigration(runner, operator, { action: 'database.migrate', after: { migrations: applied } }),
  );
  return [`Applied to ${name}:`, ...applied.map((one) => `  ${one}`)].join('\n');
}

async function revert(connection: DatabaseConnection, { operator }: AdminContext, isForced: boolean): Promise<string> {
  // A service that starts in the meantime waits, and then applies the migration again.
  const { name, previous, isRecorded } = await withMigrationLock(connection, () =>
    inTransaction(connection, (runner) => revertLastMigration(runner, operator, isForced)),
  );
  return [
    `Reverted ${name}.`,
    `The last applied migration is now ${previous}.`,
    'Starting this release applies it again.',
    ...(isRecorded ? [] : ['The audit log has no event of it, because the database is too old for one.']),
  ].join('\n');
}

async function inTransaction<Result>(
  connection: DatabaseConnection,
  run: (runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const options = dataSourceOptions({ ...connection, application_name: 'keycard admin', query_timeout: 0 });
  const dataSource = await new DataSource(options).initialize();
  const runner = dataSource.createQueryRunner();
  return runTransaction(runner, () => run(runner), {}).finally(() => dataSource.destroy());
}

function explain(error: unknown): unknown {
  const code = errorCode(error);
  if (code === '42501') {
    return new CommandError(
      `The database's role may not do this (${errorMessage(error)}). Set DATABASE_URL to the owner of the tables.`,
    );
  }
  if (code === '55P03') {
    return new CommandError(
      'The migration was not reverted because its tables are locked. End long transactions, which pg_stat_activity lists.',
    );
  }
  return error;
}
