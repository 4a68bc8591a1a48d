import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';
import { type BackupTable, quoteName, quoteTable, type Totals } from './backup-format.js';
import type { Progress } from '../progress.js';
import type { BackupReader } from './read-backup.js';

/**
 * Loads the rows of a backup into existing, empty tables, and checks that they are complete.
 *
 * @param client in a transaction, to be rolled back on an error
 */
export async function loadTables(client: ClientBase, reader: BackupReader, progress: Progress): Promise<Totals> {
  const totals: Totals = { tables: 0, rows: 0 };
  for (;;) {
    const next = await reader.readTable();
    if ('table' in next) {
      totals.rows += await loadTable(client, next, reader, progress);
      totals.tables += 1;
      continue;
    }
    if (next.tables !== totals.tables || next.rows !== totals.rows) throw reader.damaged('its totals are wrong');
    await reader.readEnd();
    return totals;
  }
}

/** @returns the number of rows in the backup */
async function loadTable(
  client: ClientBase,
  table: BackupTable,
  reader: BackupReader,
  progress: Progress,
): Promise<number> {
  let expected = 0;
  const rows = async function* () {
    const content = reader.readRows(table);
    for (;;) {
      const { value, done } = await content.next();
      if (done === true) {
        expected = value.rows;
        return;
      }
      progress.update(`${table.table}: ${reader.percentRead} % of the file`);
      yield value;
    }
  };
  if (!(await exists(client, table))) {
    await pipeline(rows, new Writable({ write: (_chunk, _encoding, done) => done() }));
    progress.finish(`${table.table}: skipped, because it isn't a table of Keycard`);
    return expected;
  }
  const target = client.query(from(`copy ${quoteTable(table)} from stdin`));
  await pipeline(rows, target);
  if (target.rowCount !== expected) {
    throw reader.damaged(`${table.table} has ${target.rowCount} rows instead of ${expected}`);
  }
  await client.query(`analyze ${quoteName(table.table)}`);
  progress.finish(`${table.table}: ${expected} rows`);
  return expected;
}

/** The migrations of the backup have created all of Keycard's tables; others shared its database. */
async function exists(client: ClientBase, { table }: BackupTable): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select exists (select from pg_tables where schemaname = current_schema() and tablename = $1)`,
    [table],
  );
  return rows[0]?.exists === true;
}
