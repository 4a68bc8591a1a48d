import { existsSync } from 'node:fs';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { knownMigrations } from '../../src/database/data-source-options.js';
import { migrate } from '../../src/database/migrate.js';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { runAdmin } from '../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import type { TestApp } from '../setup/test-app.js';
import { administrate, createEmptyDatabase, type TestDatabase } from '../setup/test-database.js';
import { useAppStarter, useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const omittedTables = [
  'database_history',
  'database_identity',
  'migrations',
  'password_resets',
  'rate_limits',
  'sessions',
];

/** A running service hashes events in the background. `test/audit/proofs` checks what a restore makes of them. */
const changingTables = ['audit_leaves', 'audit_pending', 'audit_state', 'audit_trees'];

const service = useTestApp();
const startApp = useAppStarter();
const databases: TestDatabase[] = [];
let folder: TemporaryFolder;
let member: Member;
let kept: CreatedKey;
let deleted: CreatedKey;

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  member = await createMember(service);
  kept = await createApiKey(service, member, 'Kept \\ "quoted"\tand – non-ASCII');
  deleted = await createApiKey(service, member, 'Deleted');
  await remove(deleted);
});
afterAll(async () => {
  for (const { drop } of databases) await drop();
  await folder.remove();
});

let files = 0;
const newFile = () => path.join(folder.path, `${++files}.backup`);

async function backUp(database = service.database): Promise<string> {
  const file = newFile();
  await runAdmin(database, 'backup', file);
  return file;
}

async function newDatabase(): Promise<DatabaseConnection> {
  const database = await createEmptyDatabase();
  databases.push(database);
  return database.connection;
}

async function restore(file: string): Promise<DatabaseConnection> {
  const database = await newDatabase();
  await runAdmin(database, 'restore', file);
  return database;
}

async function select<Row extends object>(database: DatabaseConnection, sql: string): Promise<Row[]> {
  const client = new pg.Client(database);
  await client.connect();
  return (await client.query<Row>(sql).finally(() => client.end())).rows;
}

const findTables = async (database: DatabaseConnection) =>
  (await select<{ name: string }>(database, `select tablename as name from pg_tables where schemaname = 'public'`))
    .map(({ name }) => name)
    .sort();

/** Returns the sorted rows of each backed-up table as text. */
async function readRows(database: DatabaseConnection): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  for (const name of await findTables(database)) {
    if ([...omittedTables, ...changingTables].includes(name)) continue;
    const rows = await select<{ row: string }>(database, `select t::text as row from "${name}" t order by 1`);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

const use = ({ key }: Pick<CreatedKey, 'key'>, { url }: TestApp) => call(url, 'GET /v1/models', { token: key });
const remove = ({ id }: CreatedKey) => call(service.url, `DELETE /api-keys/${id}`, { token: member.token });
const contentOf = async (file: string) => gunzipSync(await readFile(file)).toString();

/** Creates, uses and deletes keys until the returned function is called. */
function startLoad(): () => Promise<void> {
  let isStopping = false;
  const work = async () => {
    while (!isStopping) {
      const created = await createApiKey(service, member, 'Under load');
      await use(created, service);
      await use(kept, service);
      await remove(created);
    }
  };
  const workers = Promise.all(Array.from({ length: 4 }, work));
  return async () => {
    isStopping = true;
    await workers;
  };
}

describe('A backup made under load', () => {
  let restored: TestApp;
  let file: string;
  beforeAll(async () => {
    const stopLoad = startLoad();
    file = await backUp().finally(stopLoad);
  });
  beforeEach(async () => {
    restored = await startApp({ database: await restore(file) });
  });

  it('should restore the keys that existed, none that were deleted, and the same state of all tables', async () => {
    expect((await use(kept, restored)).status).toBe(200);
    expect((await use(deleted, restored)).status).toBe(401);
    const contradictions = await restored.query(
      `select id from api_keys where not exists (
         select from audit_events where action = 'api-key.create' and target_id = api_keys.id
       ) or exists (select from audit_events where action = 'api-key.delete' and target_id = api_keys.id)`,
    );
    expect(contradictions).toEqual([]);
  });
});

describe('npm run admin -- backup', () => {
  it('should copy every row of all tables, except sessions and what expires within hours', async () => {
    const original = await readRows(service.database);
    const file = await backUp();
    const { audit_events: events, ...copied } = await readRows(await restore(file));
    const { audit_events: originalEvents = [], ...others } = original;
    expect(copied).toEqual(others);
    expect(events).toEqual(expect.arrayContaining(originalEvents));
    expect(Object.keys(original)).toContain('api_keys');
  });

  it('should contain hashes of keys, but neither a key nor a session', async () => {
    const content = await contentOf(await backUp());
    const [hash] = await service.query<{ hash: string }>(`select encode(secret_hash, 'hex') as hash from api_keys`);
    expect(content).toContain(hash?.hash);
    expect(content).not.toMatch(/kc_[0-9A-Za-z]{46}/);
    expect(content).not.toContain(member.sessionId);
  });

  it('should be readable only by its owner, and never replace a file', async () => {
    const file = await backUp();
    const { mode, size } = await stat(file);
    expect(mode & 0o777).toBe(0o600);
    await expect(runAdmin(service.database, 'backup', file)).rejects.toThrow(`${file} exists.`);
    expect((await stat(file)).size).toBe(size);
  });

  it('should leave no file behind if the database ends its session', async () => {
    const file = newFile();
    const blocker = new pg.Client(service.database);
    await blocker.connect();
    await blocker.query('begin; lock table usage in access exclusive mode');
    const failed = expect(runAdmin(service.database, 'backup', file)).rejects.toThrow();
    await waitFor(async () => {
      const ended = await service.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'keycard backup' and datname = current_database() and wait_event_type = 'Lock'`,
      );
      return ended.length === 1;
    });
    await failed;
    await blocker.end();
    expect([file, `${file}.partial`].filter((name) => existsSync(name))).toEqual([]);
  });

  it('should refuse to write while another backup writes the same file', async () => {
    const file = newFile();
    await writeFile(`${file}.partial`, 'the other backup');
    await expect(runAdmin(service.database, 'backup', file)).rejects.toThrow(`${file}.partial exists`);
    expect(await readFile(`${file}.partial`, 'utf8')).toBe('the other backup');
  });

  it('should leave an event', async () => {
    const count = async () => (await service.query(`select from audit_events where action = 'database.backup'`)).length;
    const before = await count();
    await backUp();
    expect(await count()).toBe(before + 1);
  });
});

describe('A backup that starts during a migration', () => {
  let database: DatabaseConnection;
  beforeEach(async () => {
    database = await restore(await backUp());
    await administrate(database, 'create table orders as select 1 as id; create table items as select 1 as id');
  });

  /** Runs a migration that commits once the backup waits for it. Returns the backup. */
  async function backUpDuring(migration: string): Promise<string> {
    const migrator = new pg.Client(database);
    await migrator.connect();
    try {
      await migrator.query(`begin; ${migration}`);
      const backup = backUp(database);
      const waiting = `select from pg_stat_activity where datname = current_database()
        and application_name = 'keycard backup' and wait_event_type = 'Lock'`;
      await waitFor(async () => (await select(database, waiting)).length === 1);
      await migrator.query('commit');
      return await backup;
    } finally {
      await migrator.end();
    }
  }

  it('should contain the rows of a table that the migration rewrites', async () => {
    const file = await backUpDuring(`alter table api_keys alter name type text using name || ''`);
    const restored = await restore(file);
    expect((await readRows(restored))['api_keys']).toEqual((await readRows(database))['api_keys']);
    expect(await select(restored, 'select from api_keys')).not.toEqual([]);
  });

  it.each<[change: string, migration: string, tables: string[]]>([
    ['creates', 'lock table orders; create table products as select 1 as id', ['items', 'orders', 'products']],
    ['drops', 'drop table orders', ['items']],
    ['renames', 'alter table orders rename to purchases', ['items', 'purchases']],
  ])('should contain the tables that are left when the migration %s one', async (_change, migration, tables) => {
    const content = await contentOf(await backUpDuring(migration));
    const found = [...content.matchAll(/^\{"table":"(\w+)","columns":\["id"\]\}\n1\n/gm)].map(([, name]) => name);
    expect(found.sort()).toEqual(tables);
  });
});

describe('npm run admin -- restore', () => {
  let backup: string;
  let empty: DatabaseConnection;
  beforeAll(async () => {
    backup = await backUp();
    empty = await newDatabase();
  });

  const edit = (change: (content: string) => string) => async (file: string) =>
    writeFile(file, gzipSync(change(await contentOf(file))));

  it.each<[problem: string, error: string, damage: (file: string) => Promise<void>]>([
    [
      'a truncated file',
      'is damaged: its end is missing. Use another backup.',
      async (file) => {
        const bytes = await readFile(file);
        await writeFile(file, bytes.subarray(0, bytes.length / 2));
      },
    ],
    [
      'a file without its last line',
      'is damaged: its end is missing.',
      edit((text) => text.slice(0, text.lastIndexOf('{'))),
    ],
    ['a file with more after its end', 'is damaged: it has excess content.', edit((text) => `${text}more`)],
    ['changed rows', 'is damaged: the checksum of api_keys is wrong.', edit((text) => text.replace('Kept', 'kept'))],
    [
      'a missing table',
      'is damaged: its totals are wrong.',
      edit((text) => text.replace(/\{"table":"limit_counters".*?\n\\\.\n.*?\n/s, '')),
    ],
    [
      'flipped bits',
      'is damaged: ',
      async (file) => {
        const bytes = await readFile(file);
        bytes.fill(0xff, bytes.length - 40, bytes.length - 8);
        await writeFile(file, bytes);
      },
    ],
    ['another file', 'is not a Keycard backup.', (file) => writeFile(file, 'Dear diary')],
    ['another gzipped file', 'is not a Keycard backup.', (file) => writeFile(file, gzipSync('{"a":1}\n'))],
    [
      'a newer format',
      'was made by a newer Keycard, in format 2.',
      edit((text) => text.replace('"keycardBackup":1', '"keycardBackup":2')),
    ],
    [
      'a newer release',
      'was made by Keycard 9.0.0, whose database is newer than Keycard ',
      edit((text) =>
        text
          .replace(/"keycardVersion":"[^"]+"/, '"keycardVersion":"9.0.0"')
          .replace('"migrations":[', '"migrations":["Later1999999999999",'),
      ),
    ],
  ])('should reject %s and leave nothing in the database', async (_problem, error, damage) => {
    const file = newFile();
    await copyFile(backup, file);
    await damage(file);
    await expect(runAdmin(empty, 'restore', file)).rejects.toThrow(`${file} ${error}`);
    expect(await findTables(empty)).toEqual([]);
    expect(await select(empty, `select from pg_proc where pronamespace = 'public'::regnamespace`)).toEqual([]);
  });

  it('should reject a file that does not exist', async () => {
    await expect(runAdmin(empty, 'restore', '/missing')).rejects.toThrow('/missing cannot be read: ENOENT');
  });

  it('should reject a database with tables, and leave them unchanged', async () => {
    const database = await newDatabase();
    await administrate(database, 'create table orders (); create table items ()');
    await expect(runAdmin(database, 'restore', backup)).rejects.toThrow(
      /^The database is not empty: [^@]+ has items, orders\. Restore into a new, empty database\.$/,
    );
    expect(await findTables(database)).toEqual(['items', 'orders']);
    await expect(runAdmin(service.database, 'restore', backup)).rejects.toThrow(
      /^The database is not empty: [^@]+ has api_keys/,
    );
    expect((await use(kept, service)).status).toBe(200);
  });

  it('should migrate the backup of an earlier release', async () => {
    const earlier = await newDatabase();
    await migrate(earlier, { migrations: knownMigrations().slice(0, 1) });
    await administrate(earlier, `insert into organizations (id, name) values (gen_random_uuid(), 'Early')`);
    const restored = await restore(await backUp(earlier));
    const names = (database: DatabaseConnection) => select(database, 'select name from migrations order by id');
    expect(await names(restored)).toEqual(await names(service.database));
    expect(await findTables(restored)).toEqual(await findTables(service.database));
    expect(await select(restored, 'select name from organizations')).toEqual([{ name: 'Early' }]);
  });

  it('should reject a backup from before the first schema, and say which commit can restore it', async () => {
    const [header = '', ...lines] = (await contentOf(backup)).split('\n');
    const migrations = ['InitialSchema1795235329752', 'DatabaseHistory1795510000000'];
    const earlier = newFile();
    const content = [JSON.stringify({ ...(JSON.parse(header) as object), migrations }), ...lines].join('\n');
    await writeFile(earlier, gzipSync(content));
    const empty = await newDatabase();
    await expect(runAdmin(empty, 'restore', earlier)).rejects.toThrow(
      `${earlier} was made by an earlier commit. Restore it with commit e0670598, then start this release.`,
    );
    expect(await findTables(empty)).toEqual([]);
  });

  it("should skip another application's table", async () => {
    const shared = await restore(backup);
    await administrate(shared, `create table orders (id int); insert into orders values (1)`);
    const restored = await restore(await backUp(shared));
    expect(await findTables(restored)).toEqual(await findTables(service.database));
    expect((await readRows(restored))['api_keys']).toEqual((await readRows(shared))['api_keys']);
  });

  it('should leave an event with the time of the backup', async () => {
    const restored = await restore(backup);
    const events = await select(restored, `select after from audit_events where action = 'database.restore'`);
    expect(events).toEqual([{ after: { backupCreatedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string } }]);
  });

  it('should need no sequences, because ids are UUIDs', async () => {
    const sequences = await select(service.database, `select sequencename as name from pg_sequences`);
    expect(sequences).toEqual([{ name: 'migrations_id_seq' }]);
  });
});
