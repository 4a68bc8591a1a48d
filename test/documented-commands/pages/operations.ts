import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { startPostgresServer } from '../../setup/postgres-server.js';
import { toUrl } from '../../setup/test-database.js';
import { findPort, openInstallation, setVariables, start, stop } from '../installation.js';
import { type Page, type Place, withCleanup } from '../page.js';
import { createPrivateAuthority } from '../private-authority.js';

const database = { user: 'keycard', password: 'PASSWORD', database: 'keycard' };
const urlOverTls = 'postgresql://keycard:PASSWORD@db.example.com:5432/keycard?sslmode=verify-full';
const authority = '&sslrootcert=/etc/keycard/ca.pem';

/** Moves a service to another database, and writes the file for Docker Compose. */
export const operationsPage: Page = {
  file: 'docs/operations.md',
  open: openWithServer,
  steps: [
    {},
    {},
    { prints: /^Backed up the embedded database .*\n[\s\S]*^Restored localhost.*\/keycard: /m },
    { prints: /Keycard is ready: open http:\/\/127\.0\.0\.1:\d+\n/ },
    { before: stop, prints: /^Backed up the embedded database /m },
    {},
    { prints: /^Restored localhost.*\/keycard: /m },
    { prints: /Keycard is ready/ },
    { responses: [200], prints: /"universal-sentence-encoder-lite"/ },
    { after: trustsOnlyAuthority },
    { after: hasComposeVariables },
    {},
  ],
};

async function openWithServer(): Promise<Place> {
  const signed = await createPrivateAuthority();
  const port = Number(await findPort());
  const server = await startPostgresServer({ port, ...signed });
  const place = await openInstallation({
    'postgresql://postgres@db.example.com/postgres': toUrl(server.connection),
    [urlOverTls]: `postgresql://keycard:PASSWORD@localhost:${port}/keycard?sslmode=verify-full`,
    [authority]: `&sslrootcert=${signed.file}`,
    'postgresql://keycard:PASSWORD@db.example.com:5432/keycard': toUrl({ ...server.connection, ...database }),
  });
  await start(place);
  await setVariables(place);
  const stopAll = async () => {
    await server.stop();
    await signed.remove();
  };
  return withCleanup({ ...place, query: server.run }, stopAll);
}

/** Uses the page's URL, and the same one without the authority. */
async function trustsOnlyAuthority({ terminal, replaced }: Place): Promise<void> {
  const list = (url = '') => terminal.run(`DATABASE_URL='${url}' npm run admin -- list-accounts`);
  expect(await list(`${replaced[urlOverTls]}${replaced[authority]}`)).toMatchObject({ status: 0 });
  const { status, errors } = await list(replaced[urlOverTls]);
  expect(status).toBe(1);
  const { documented = '' } =
    /\| `(?<documented>unable to verify [^`]+)`/.exec(await readFile('docs/operations.md', 'utf8'))?.groups ?? {};
  expect(documented).not.toBe('');
  expect(errors).toContain(documented);
}

async function hasComposeVariables({ folder }: Place): Promise<void> {
  const file = path.join(folder, '.env');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const compose = await readFile('docker-compose.yml', 'utf8');
  const required = [...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
  expect(required).toContain('JWT_SECRET');
  expect(Object.keys(parseEnv(await readFile(file, 'utf8')))).toEqual(expect.arrayContaining(required));
}
