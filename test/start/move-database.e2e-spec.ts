import { spawnAdmin } from '../setup/run-admin.js';
import path from 'node:path';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createEmptyDatabase, type TestDatabase, toUrl } from '../setup/test-database.js';
import { useAppStarter } from '../setup/use-test-app.js';
import { createKey } from './create-key.js';
import { runService, type ServiceProcess } from './service-process.js';

const password = 'the password of the first administrator';

const startApp = useAppStarter();
let folder: TemporaryFolder;
let external: TestDatabase;
let embedded: ServiceProcess;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  external = await createEmptyDatabase();
  embedded = runService({ DATA_DIR: folder.path, ADMIN_PASSWORD: password });
});
afterAll(async () => {
  embedded.child.kill('SIGTERM');
  await embedded.exited;
  await external.drop();
  await folder.remove();
});

describe('A running service with the embedded database', () => {
  it('should move to an external PostgreSQL with its keys and passwords', async () => {
    const key = await createKey(await embedded.ready, password);
    const file = path.join(folder.path, 'keycard.backup');
    const backup = await spawnAdmin({ DATA_DIR: folder.path }, 'backup', file);
    expect(backup).toMatchObject({ code: 0 });
    expect(backup.errors).toMatch(/^api_keys: 1 rows$/m);
    const counts = String.raw`\d+ rows of \d+ tables`;
    expect(backup.printed).toMatch(
      new RegExp(
        `^Backed up the embedded database in ${folder.path}: ${counts}, to .*keycard\\.backup \\(0\\.\\d MB\\)\\.\n$`,
      ),
    );

    const restore = await spawnAdmin({ DATABASE_URL: toUrl(external.connection) }, 'restore', file);
    expect(restore).toMatchObject({ code: 0, errors: backup.errors });
    const { database } = external.connection;
    expect(restore.printed).toMatch(new RegExp(`^Restored [^@]+/${database}: ${counts}, as of `));
    const { url } = await startApp({ database: external.connection });
    expect((await call(url, 'GET /v1/models', { token: key })).status).toBe(200);
    const body = { email: 'admin@keycard.local', password };
    expect((await call(url, 'POST /auth/sign-in', { body })).status).toBe(200);
  });
});
