import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { isUUID } from 'class-validator';
import type { ClientBase } from 'pg';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { AuditService } from '../../audit/audit.service.js';
import { type AdminCommand, type AdminContext, CommandError } from '../admin-command.js';
import { type BackupTable, quoteName, type Totals } from '../backup/backup-format.js';
import { writeFile, writeSnapshot } from '../backup/backup.js';
import { beginSnapshot } from '../backup/begin-snapshot.js';
import { readHeader, readRows, toLine } from '../backup/read-snapshot.js';
import { findServer } from '../find-server.js';
import type { Progress } from '../progress.js';
import { openCell, select, transact } from './cell.js';
import { exportedTables } from './organization-tables.js';

export const exportOrganization: AdminCommand = {
  parameters: ['ORGANIZATION'],
  description: 'Write all data of an organization (id) to a new file, in the format of backups.',
  options: { output: { value: 'FILE', description: 'Name of the file, organization-ID.backup by default.' } },
  audited: ['organization.export'],
  run: async ({ config, operator, progress }, [id = ''], _flags, { output: name }) => {
    if (!isUUID(id)) throw new CommandError('The organization must be an id, such as from list-accounts.');
    const file = name ?? `organization-${id}.backup`;
    if (existsSync(file)) throw new CommandError(`${file} exists. Choose another name with --output.`);
    const server = await findServer(config);
    try {
      const organization = await recordExport(server.connection, operator, id);
      const totals = await writeFile(file, (output) =>
        writeSnapshot(server.connection, { signature: new PassThrough(), output }, (client) =>
          readOrganization(client, id, progress),
        ),
      );
      const { size } = await stat(file);
      return `Exported ${organization}: ${totals.rows} rows of ${totals.tables} tables, to ${file} (${(size / 1e6).toFixed(1)} MB).`;
    } finally {
      await server.stop();
    }
  },
};

/**
 * Records the event, so that no export exists without one.
 *
 * @returns the organization's name
 * @throws CommandError if no organization has this id
 */
async function recordExport(
  connection: DatabaseConnection,
  operator: AdminContext['operator'],
  organizationId: string,
): Promise<string> {
  const cell = await openCell(connection, 'source');
  try {
    return await transact(cell, async () => {
      const [organization] = await select<{ name: string }>(
        cell,
        'select name from organizations where id = $1 and deleted_at is null',
        [organizationId],
      );
      if (organization === undefined) throw new CommandError('No organization has this id.');
      const { name } = organization;
      await new AuditService().record(
        cell.manager,
        { ...operator, organizationId },
        { action: 'organization.export', target: { kind: 'organization', id: organizationId, name } },
      );
      return name;
    });
  } finally {
    await cell.close();
  }
}

/** Reads one consistent snapshot of an organization, as the content of a backup. */
async function* readOrganization(
  client: ClientBase,
  organizationId: string,
  progress: Progress,
): AsyncGenerator<Buffer | string, Totals> {
  const tables = await beginSnapshot(client);
  yield toLine({ ...(await readHeader(client)), organization: organizationId });
  const totals: Totals = { tables: 0, rows: 0 };
  for (const { table, columns } of tables) {
    const exported = exportedTables[table];
    if (exported === undefined) continue;
    const { rows: condition, replaced = {} } = exported;
    yield toLine({ table, columns } satisfies BackupTable);
    const values = columns.map((column) => replaced[column] ?? quoteName(column));
    const { rows } = yield* readRows(
      client,
      { table, columns },
      (count) => progress.update(`${table}: ${count} rows`),
      values,
      condition.replaceAll('$id', `'${organizationId}'`),
    );
    progress.finish(`${table}: ${rows} rows`);
    totals.tables += 1;
    totals.rows += rows;
  }
  yield toLine(totals);
  await client.query('commit');
  return totals;
}
