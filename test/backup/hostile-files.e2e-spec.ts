import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { knownMigrations } from '../../src/database/data-source-options.js';
import { runAdmin } from '../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { administrate, createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';
import { useTestApp } from '../setup/use-test-app.js';

const megabyte = 1024 * 1024;
const migrations: string[] = knownMigrations().map(({ name }) => name);
const header = toLine({
  keycardBackup: 1,
  keycardVersion: '0.1.0',
  postgresVersion: '17.0',
  createdAt: '2026-11-23T03:00:00.000Z',
  migrations,
});

const service = useTestApp();
let folder: TemporaryFolder;
let empty: TestDatabase;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  empty = await createEmptyDatabase();
});
afterAll(async () => {
  await empty.drop();
  await folder.remove();
});

function toLine(content: object): string {
  return `${JSON.stringify(content)}\n`;
}

const toTable = (table: string, columns: string[], rows = '') =>
  `${toLine({ table, columns })}${rows}\\.\n${checksumOf(rows)}`;
const checksumOf = (rows: string) =>
  toLine({ rows: rows.split('\n').length - 1, sha256: createHash('sha256').update(rows).digest('hex') });

/** One row without an end. */
function* rowOf(table: string, megabytes: number) {
  yield header;
  yield toLine({ table, columns: ['name'] });
  for (let count = 0; count < megabytes; count += 1) yield 'a'.repeat(megabyte);
  yield `\n\\.\n`;
}

let files = 0;
async function write(content: Iterable<string>): Promise<string> {
  const file = path.join(folder.path, `${++files}.backup`);
  await pipeline(Readable.from(content, { objectMode: false }), createGzip(), createWriteStream(file));
  return file;
}

async function refuse(file: string, reason: string): Promise<void> {
  const error = `${file} is damaged: ${reason}. Use another backup.`;
  await expect(runAdmin(empty.connection, 'check-backup', file)).rejects.toThrow(error);
  await expect(runAdmin(empty.connection, 'restore', file)).rejects.toThrow(error);
  const client = new pg.Client(empty.connection);
  await client.connect();
  const { rows } = await client.query('select from pg_tables where schemaname = current_schema()');
  await client.end();
  expect(rows).toEqual([]);
}

describe('npm run admin -- restore of a hostile file', () => {
  it.each(['organizations', 'orders'])('should refuse a row of %s that a small file makes large', async (table) => {
    const file = await write(rowOf(table, 150));
    expect((await stat(file)).size).toBeLessThan(200_000);
    await refuse(file, `a row of ${table} is larger than 64 MB`);
  });

  it('should refuse more tables than a database of Keycard has', async () => {
    const tables = function* () {
      yield header;
      for (let count = 0; count < 5000; count += 1) yield toTable(`table_${count}`, ['id']);
    };
    await refuse(await write(tables()), 'it has more than 1000 tables');
  });

  it('should refuse a table that is in it twice', async () => {
    await refuse(
      await write([header, ...Array<string>(2).fill(toTable('roles', ['id']))]),
      'the table roles is in it twice',
    );
  });

  it('should say which table has rows that PostgreSQL rejects', async () => {
    const file = await write([header, toTable('organizations', ['name'], 'no id\n'), toLine({ tables: 1, rows: 1 })]);
    await expect(runAdmin(empty.connection, 'restore', file)).rejects.toThrow(
      /is damaged: PostgreSQL rejects organizations: null value in column "id" .*\. Use another backup\.$/,
    );
    const unknown = await write([header, toTable('roles', ['color'], 'red\n'), toLine({ tables: 1, rows: 1 })]);
    await expect(runAdmin(empty.connection, 'restore', unknown)).rejects.toThrow(
      /is damaged: PostgreSQL rejects roles: column "color" /,
    );
  });
});

describe('npm run admin -- backup of a row that restore would refuse', () => {
  it('should fail with its table, and restore a slightly smaller one', async () => {
    const largest = 64 * megabyte;
    await administrate(service.database, 'create table orders (content text)');
    const insert = (bytes: number) =>
      administrate(service.database, `truncate orders; insert into orders values (repeat('a', ${bytes}))`);
    const file = path.join(folder.path, 'large');
    await insert(largest + 1);
    await expect(runAdmin(service.database, 'backup', file)).rejects.toThrow(
      'The table orders has a row larger than 64 MB, which restore would refuse.',
    );
    await insert(largest);
    await runAdmin(service.database, 'backup', file);
    await expect(runAdmin(empty.connection, 'check-backup', file)).resolves.toContain('is undamaged');
    await administrate(service.database, 'drop table orders');
  });
});
