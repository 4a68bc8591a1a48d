import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type PostgresServer, startPostgresServer } from '../../setup/postgres-server.js';
import { toUrl } from '../../setup/test-database.js';
import { acceptsKey, openInstallation, setVariables, start, stop } from '../installation.js';
import { type Page, type Place, withCleanup } from '../page.js';

const isBackedUp = /^Backed up the embedded database /m;
const isReady = /Keycard is ready/;

export function backupPage(): Page {
  let server: PostgresServer;
  return {
    file: 'docs/backup.md',
    open: async () => {
      server = await startPostgresServer();
      const place = await openInstallation();
      await start(place);
      await setVariables(place);
      Object.assign(place.replaced, {
        '/opt/keycard': place.folder,
        '/var/backups/keycard': place.folder,
        '/tmp/keycard-practice': path.join(place.folder, 'practice'),
      });
      return withCleanup({ ...place, query: server.run }, server.stop);
    },
    steps: [
      { prints: isBackedUp },
      { prints: isBackedUp, after: hasDatedFile },
      { responses: [200, 200] },
      { before: stop },
      { prints: /^Restored the embedded database [\s\S]*Keycard is ready/m, after: acceptsKey },
      { before: createDamagedDatabase },
      { before: useExternalServer, prints: /^Restored localhost[\s\S]*Keycard is ready/m, after: acceptsKey },
      { before: useEmbeddedDatabase, prints: isReady },
      { prints: /^Backed up [\s\S]*signed/m },
      { before: removeDatabase, prints: /^Restored the embedded database /m },
    ],
  };

  async function createDamagedDatabase(): Promise<void> {
    await server.run(`create role keycard login password 'PASSWORD';\ncreate database keycard owner keycard`);
  }

  async function useExternalServer(place: Place): Promise<void> {
    await stop(place);
    const url = toUrl({ ...server.connection, user: 'keycard', database: 'keycard' });
    await writeFile(path.join(place.folder, '.env'), `DATABASE_URL=${url}\nJWT_SECRET=${'s'.repeat(32)}\n`);
  }

  async function useEmbeddedDatabase(place: Place): Promise<void> {
    await stop(place);
    await rm(path.join(place.folder, '.env'));
  }
}

async function removeDatabase({ folder }: Place): Promise<void> {
  await rm(path.join(folder, '.keycard', 'postgresql'), { recursive: true });
}

async function hasDatedFile({ folder }: Place): Promise<void> {
  expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^\d{4}-\d\d-\d\d\.backup$/));
}
