import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { to } from 'pg-copy-streams';
import { version } from '../../common/package-info.js';
import {
  type BackupHeader,
  type BackupTable,
  type Checksum,
  endOfRows,
  formatVersion,
  maxRowBytes,
  quoteName,
  type Totals,
} from './backup-format.js';
import { beginSnapshot, type SnapshotTable } from './begin-snapshot.js';
import { CommandError } from '../admin-command.js';
import type { Progress } from '../progress.js';

/** How much of the database was read, in percent: exact between two tables, estimated within one. */
class PercentRead {
  private readonly total: number;
  private read = 0;

  constructor(tables: readonly SnapshotTable[]) {
    this.total = tables.reduce((sum, { size }) => sum + size, 0);
  }

  within({ size, estimatedRows }: SnapshotTable, rows: number): number {
    const part = estimatedRows > 0 ? Math.min(1, rows / estimatedRows) : 0;
    return Math.floor((100 * (this.read + part * size)) / Math.max(1, this.total));
  }

  finish({ size }: SnapshotTable): void {
    this.read += size;
  }
}

/**
 * Reads one consistent snapshot of the database while other transactions continue, as the content of a backup.
 *
 * @param client used exclusively; with unlimited query time and `copySettings`
 */
export async function* readSnapshot(client: ClientBase, progress: Progress): AsyncGenerator<Buffer | string, Totals> {
  const tables = await beginSnapshot(client);
  yield toLine(await readHeader(client));
  const totals: Totals = { tables: tables.length, rows: 0 };
  const percent = new PercentRead(tables);
  for (const table of tables) {
    yield toLine({ table: table.table, columns: table.columns } satisfies BackupTable);
    const { rows } = yield* readRows(client, table, (count) =>
      progress.update(`${table.table}: ${percent.within(table, count)} % of the database`),
    );
    percent.finish(table);
    progress.finish(`${table.table}: ${rows} rows`);
    totals.rows += rows;
  }
  yield toLine(totals);
  await client.query('commit');
  return totals;
}

/**
 * Reads the rows of a table, and their checksum.
 *
 * @param columns SQL for each column
 * @param condition SQL
 */
export async function* readRows(
  client: ClientBase,
  table: BackupTable,
  update: (rows: number) => void,
  columns: readonly string[] = table.columns.map(quoteName),
  condition = 'true',
): AsyncGenerator<Buffer | string, Checksum> {
  // Unlike a table's name, a query works for partitioned tables as well.
  const selection = `select ${columns.join(', ')} from ${quoteName(table.table)} where ${condition}`;
  const stream = client.query(to(`copy (${selection}) to stdout`));
  const hash = createHash('sha256');
  const counter = new RowCounter(table.table);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    counter.add(chunk);
    update(counter.rows);
    yield chunk;
  }
  const checksum: Checksum = { rows: counter.rows, sha256: hash.digest('hex') };
  yield endOfRows;
  yield toLine(checksum);
  return checksum;
}

export async function readHeader(client: ClientBase): Promise<BackupHeader> {
  const { rows } = await client.query<Omit<BackupHeader, 'keycardBackup' | 'keycardVersion'>>(
    `select current_setting('server_version') as "postgresVersion",
       to_char(statement_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
       (select array_agg(name::text order by id) from migrations) as migrations`,
  );
  const [database] = rows;
  if (database === undefined) throw new Error('PostgreSQL returned no row.');
  return { keycardBackup: formatVersion, keycardVersion: version, ...database };
}

/** Counts rows. Each ends with the only line feed in it: others are escaped. */
class RowCounter {
  rows = 0;
  /** Bytes of the row that the last chunk didn't end. */
  private unfinished = 0;

  constructor(private readonly table: string) {}

  /** @throws CommandError for a row that `restore` would refuse */
  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.check(this.unfinished + end - start);
      this.unfinished = 0;
      this.rows += 1;
      start = end + 1;
    }
    this.unfinished += chunk.length - start;
    this.check(this.unfinished);
  }

  private check(bytes: number): void {
    if (bytes <= maxRowBytes) return;
    const largest = `${maxRowBytes / 1024 / 1024} MB`;
    throw new CommandError(
      `The table ${this.table} has a row larger than ${largest}, which restore would refuse. Keycard's own rows are smaller: give it its own database.`,
    );
  }
}

export const toLine = (content: object) => `${JSON.stringify(content)}\n`;
