import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { type BackupTable, quoteName, quoteTable, type Totals } from './backup-format.js';
import type { Progress } from '../progress.js';
import type { BackupReader } from './read-backup.js';
import { readTables, skipRows } from './read-tables.js';

/**
 * Loads the rows of a backup into existing, empty tables, and checks that they are complete.
 *
 * @param client in a transaction, to be rolled back on an error
 */
export async function loadTables(client: ClientBase, reader: BackupReader, progress: Progress): Promise<Totals> {
  const known = await findTables(client);
  return readTables(reader, async (table) => {
    if (known.has(table.table)) return loadTable(client, table, reader, progress);
    const rows = await skipRows(reader, table);
    progress.finish(`${table.table}: skipped, because it isn't a table of Keycard`);
    return rows;
  });
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
  // They fired when the rows were written.
  await client.query(`alter table ${quoteName(table.table)} disable trigger user`);
  const target = client.query(from(`copy ${quoteTable(table)} from stdin`));
  await pipeline(rows, target).catch((error: unknown) => {
    throw isDataError(error) ? reader.damaged(`PostgreSQL rejects ${table.table}: ${errorMessage(error)}`) : error;
  });
  if (target.rowCount !== expected) {
    throw reader.damaged(`${table.table} has ${target.rowCount} rows instead of ${expected}`);
  }
  await client.query(`alter table ${quoteName(table.table)} enable trigger user`);
  await client.query(`analyze ${quoteName(table.table)}`);
  progress.finish(`${table.table}: ${expected} rows`);
  return expected;
}

/** SQLSTATEs of values, constraints and columns that don't fit the table. */
const isDataError = (error: unknown) => /^(22|23|42703|42701)/.test(errorCode(error) ?? '');

/** The migrations of the backup have created all of Keycard's tables; others shared its database. */
async function findTables(client: ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = current_schema()`,
  );
  return new Set(rows.map(({ name }) => name));
}
