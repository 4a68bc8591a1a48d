import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { call } from '../setup/call.js';
import { spawnAdmin } from '../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createEmptyDatabase, type TestDatabase, toUrl } from '../setup/test-database.js';
import { createKey } from './create-key.js';
import { query } from './embedded-server.js';
import { runService, type ServiceProcess } from './service-process.js';

const password = 'the password of the first administrator';
const restored = /^Restored the embedded database in (.*): \d+ rows of \d+ tables, as of \S+\.\n$/;

let folder: TemporaryFolder;
let external: TestDatabase;
/** Variables that lead pg to a server on which the user may create tables. */
let misleading: Record<string, string>;
let original: string;
let backup: string;
let key: string;

const inFolder = (name: string) => path.join(folder.path, name);

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  external = await createEmptyDatabase();
  const { host, port, user, password: secret, database } = external.connection;
  misleading = { PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: secret, PGDATABASE: database };
  original = inFolder('original');
  backup = inFolder('keycard.backup');
  await serve({ DATA_DIR: original, ADMIN_PASSWORD: password }, async (url) => {
    key = await createKey(url, password);
  });
  const { code, errors } = await spawnAdmin({ DATA_DIR: original, ...misleading }, 'backup', backup);
  if (code !== 0) throw new Error(errors);
});

afterAll(async () => {
  await external.drop();
  await folder.remove();
});

/** Runs the service until `use` returns. */
async function serve(environment: Record<string, string>, use: (url: string) => Promise<void>): Promise<void> {
  const service: ServiceProcess = runService(environment);
  try {
    await use(await service.ready);
  } finally {
    service.child.kill('SIGTERM');
    await service.exited;
  }
}

async function expectKeyToWork(url: string): Promise<void> {
  expect((await call(url, 'GET /v1/models', { token: key })).status).toBe(200);
}

const externalTables = () =>
  query({ connection: external.connection }, 'select * from pg_tables where schemaname = $$public$$');

describe('npm run admin -- restore into an embedded database', () => {
  it('should load a backup of an embedded database', async () => {
    const target = inFolder('embedded');
    const { code, printed, errors } = await spawnAdmin({ DATA_DIR: target }, 'restore', backup);
    expect([code, restored.exec(printed)?.[1]]).toEqual([0, target]);
    expect(errors).toMatch(/^api_keys: 1 rows$/m);
    await serve({ DATA_DIR: target }, expectKeyToWork);
  });

  it('should ignore PG* variables, and say so', async () => {
    const target = inFolder('misled');
    const { code, printed, errors } = await spawnAdmin({ DATA_DIR: target, ...misleading }, 'restore', backup);
    expect([code, restored.exec(printed)?.[1]]).toEqual([0, target]);
    const names = 'PGDATABASE, PGHOST, PGPASSWORD, PGPORT, PGUSER';
    expect(errors.split('\n')[0]).toBe(`Ignoring ${names}: Keycard reads only DATABASE_URL.`);
    expect(await externalTables()).toEqual([]);
    await serve({ DATA_DIR: target, ...misleading }, expectKeyToWork);
    expect(await externalTables()).toEqual([]);
  });

  it('should load a backup of an external database that was restored from an embedded one', async () => {
    const database = await createEmptyDatabase();
    try {
      const environment = { DATABASE_URL: toUrl(database.connection) };
      expect(await spawnAdmin(environment, 'restore', backup)).toMatchObject({ code: 0 });
      const back = inFolder('back.backup');
      expect(await spawnAdmin(environment, 'backup', back)).toMatchObject({ code: 0 });
      const target = inFolder('back');
      const { code, printed } = await spawnAdmin({ DATA_DIR: target }, 'restore', back);
      expect([code, restored.exec(printed)?.[1]]).toEqual([0, target]);
      await serve({ DATA_DIR: target }, expectKeyToWork);
    } finally {
      await database.drop();
    }
  });

  it('should name what it found if the database is not empty', async () => {
    const { code, errors } = await spawnAdmin({ DATA_DIR: original }, 'restore', backup);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The database is not empty: the embedded database in .* has api_keys, .*\.\n$/m);
  });
});

describe('A release with a newer major version of PostgreSQL', () => {
  it('should refuse to start on the old data, and restore its backup into another folder', async () => {
    const file = path.join(original, 'postgresql', 'data', 'PG_VERSION');
    const current = Number(await readFile(file, 'utf8'));
    await writeFile(file, `${current - 1}\n`);
    const service = runService({ DATA_DIR: original });
    expect(await service.exited).toBe(1);
    expect(service.printed()).toBe(
      `Keycard cannot start: DATA_DIR (${original}) contains a PostgreSQL ${current - 1} database, and this Keycard ` +
        `release uses PostgreSQL ${current}: back it up with the release that created it (npm run admin -- backup ` +
        'FILE), set DATA_DIR to another folder, and restore it there with this release (npm run admin -- restore FILE).\n',
    );
    const target = inFolder('upgraded');
    expect(await spawnAdmin({ DATA_DIR: target }, 'restore', backup)).toMatchObject({ code: 0 });
    await serve({ DATA_DIR: target }, expectKeyToWork);
  });
});
