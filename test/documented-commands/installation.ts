import { copyFile, mkdir, readdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { builtProgram } from '../setup/built-service.js';
import { call } from '../setup/call.js';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import type { Place } from './page.js';
import { Terminal } from './terminal.js';

export const password = 'correct horse battery';

/** What commands write. */
const written = ['.env', '.git', '.keycard', 'README.md'];

/**
 * Opens a terminal in a folder that is this checkout, installed and built, except for what commands write. `npm start`
 * listens on a free port there.
 */
export async function openInstallation(replaced: Record<string, string> = {}): Promise<Place> {
  builtProgram('main');
  const temporary = await makeTemporaryFolder();
  const folder = path.join(temporary.path, 'keycard');
  await mkdir(folder);
  for (const name of await readdir('.')) {
    if (!written.includes(name)) await symlink(path.resolve(name), path.join(folder, name));
  }
  await copyFile('README.md', path.join(folder, 'README.md'));
  const [port, otherPort] = [await findPort(), await findPort()];
  const environment = { PORT: port, DRAIN_SECONDS: '0', ADMIN_PASSWORD: password };
  const terminal = await Terminal.open(temporary.path, folder, environment);
  const url = `http://127.0.0.1:${port}`;
  return {
    terminal,
    folder,
    url,
    replaced: { 'http://127.0.0.1:3000': url, '3999': otherPort, ...replaced },
    remove: async () => {
      await terminal.close();
      await temporary.remove();
    },
  };
}

export async function findPort(): Promise<string> {
  const server = createServer();
  const port = await listenOnLastingPort(server);
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

/** Starts Keycard as its reader has before. */
export async function start({ terminal }: Place): Promise<void> {
  const { status, printed, errors } = await terminal.run('npm start');
  if (status !== 0) throw new Error(`Keycard did not start:\n${printed}${errors}`);
}

/** Stops Keycard with Ctrl-C. */
export const stop = ({ terminal }: Place) => terminal.stopServices();

export async function signIn({ url }: Pick<Place, 'url'>): Promise<string> {
  const { body } = await call(url, 'POST /auth/sign-in', { body: { email: 'admin@keycard.local', password } });
  return (body as { accessToken: string }).accessToken;
}

/** Sets the token and the key of the README, and the id of the key. */
export async function setVariables({ terminal, url }: Pick<Place, 'terminal' | 'url'>): Promise<void> {
  const token = await signIn({ url });
  const { body, headers } = await call(url, 'POST /api-keys', { token, body: { name: 'My first key' } });
  const { key } = body as { key: string };
  await terminal.set({ TOKEN: token, KEY: key, ID: headers.get('location')?.split('/').at(-1) ?? '' });
}

/** The key still works. */
export async function acceptsKey({ terminal, url }: Place): Promise<void> {
  const outcome = await terminal.run(`curl -s ${url}/v1/models -H "authorization: Bearer $KEY"`);
  expect(outcome.responses).toEqual([200]);
}
