import type { ClientBase } from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { AuditService } from '../../audit/audit.service.js';
import { version } from '../../common/package-info.js';
import { describeDatabase } from '../../config/read-config.js';
import { dataSourceOptions, knownMigrations } from '../../database/data-source-options.js';
import { FirstSchema1795600000000, lastCommitBefore } from '../../database/migrations/1795600000000-FirstSchema.js';
import { explainFailedChange } from '../../database/explain-failed-change.js';
import { withMigrationLock } from '../../database/migrate.js';
import { prepareSession } from '../../database/prepare-session.js';
import { type AdminCommand, type AdminContext, CommandError } from '../admin-command.js';
import { findServer } from '../find-server.js';
import { type BackupHeader, copySettings, type Totals } from './backup-format.js';
import { loadTables } from './load-tables.js';
import { openBackup } from './open-backup.js';
import type { BackupReader } from './read-backup.js';
import { revokeRestoredSecrets } from './revoke-restored-secrets.js';

export const restore: AdminCommand = {
  parameters: ['FILE'],
  description: 'Load a backup into a new, empty database.',
  flags: {
    verify: 'Refuse a backup that is not signed with BACKUP_SIGNING_KEY.',
    'keep-secrets': 'Keep client secrets and open invitations. Only if none were revoked since the backup.',
  },
  audited: ['database.restore'],
  run: async ({ config, ...context }, [file = ''], flags) => {
    const { reader, note } = await openBackup(file, config, flags.has('verify'));
    try {
      const header = await reader.readHeader();
      assertKnownMigrations(header, file);
      const server = await findServer(config, { create: true });
      const target = { connection: server.connection, name: describeDatabase(config) };
      const keepsSecrets = flags.has('keep-secrets');
      const totals = await restoreInto(target, reader, header, { ...context, keepsSecrets })
        .catch(async (error: unknown) => {
          throw await explainFailedChange('The backup could not be restored', error, server.connection);
        })
        .finally(() => server.stop());
      const counts = `${totals.rows} rows of ${totals.tables} tables`;
      return `Restored ${target.name}: ${counts}, as of ${header.createdAt}.${note}${totals.revoked}`;
    } finally {
      reader.close();
    }
  },
};

function assertKnownMigrations({ migrations, keycardVersion }: BackupHeader, file: string): void {
  const known: string[] = knownMigrations().map((migration) => migration.name);
  if (migrations.every((name) => known.includes(name))) return;
  if (!migrations.includes(FirstSchema1795600000000.name)) {
    throw new CommandError(
      `${file} was made by an earlier commit. Restore it with commit ${lastCommitBefore}, then start this release.`,
    );
  }
  throw new CommandError(
    `${file} was made by Keycard ${keycardVersion}, whose database is newer than Keycard ${version} supports. ` +
      'Restore it with the version that made it, or a later one.',
  );
}

/** One transaction creates the tables, loads them, migrates them to this release and records the event. */
async function restoreInto(
  { connection, name }: { connection: DatabaseConnection; name: string },
  reader: BackupReader,
  { migrations, createdAt }: BackupHeader,
  { operator, progress, keepsSecrets }: Omit<AdminContext, 'config'> & { keepsSecrets: boolean },
): Promise<Totals & { revoked: string }> {
  // A service that starts in the meantime waits for the lock, and then finds the complete database.
  return withMigrationLock(connection, () =>
    inTransaction(connection, async (runner, client) => {
      await prepareSession(client, copySettings);
      await assertEmpty(client, name);
      await migrate(runner, (migration) => migrations.includes(migration));
      const totals = await loadTables(client, reader, progress);
      await migrate(runner, () => true);
      // Fires the trigger that closes organizations that were moving, which was off while rows were loaded.
      await client.query('update organization_moves set state = state');
      const revoked = keepsSecrets ? '' : await revokeRestoredSecrets(client);
      await new AuditService().record(
        runner.manager,
        { ...operator, organizationId: null },
        {
          action: 'database.restore',
          target: { kind: 'organization', id: null, name: null },
          after: { backupCreatedAt: createdAt },
        },
      );
      return { ...totals, revoked };
    }),
  );
}

async function inTransaction<Result>(
  connection: DatabaseConnection,
  run: (runner: QueryRunner, client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const dataSource = await new DataSource(dataSourceOptions({ ...connection, query_timeout: 0 })).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const client = (await runner.connect()) as ClientBase;
    await runner.startTransaction();
    const result = await run(runner, client);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** @throws CommandError that names what was found */
async function assertEmpty(client: ClientBase, database: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
       and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
     order by relname`,
  );
  if (rows.length === 0) return;
  const [first, second] = rows;
  const others = rows.length > 2 ? ` and ${rows.length - 2} others` : '';
  const names = [first?.name, second?.name].filter((name) => name !== undefined).join(', ');
  throw new CommandError(
    `The database is not empty: ${database} has ${names}${others}. Restore into a new, empty database.`,
  );
}

/** Applies pending migrations in the runner's transaction. */
async function migrate(runner: QueryRunner, isWanted: (name: string) => boolean): Promise<void> {
  const executor = new MigrationExecutor(runner.connection, runner);
  for (const migration of await executor.getPendingMigrations()) {
    if (isWanted(migration.name)) await executor.executeMigration(migration);
  }
}
