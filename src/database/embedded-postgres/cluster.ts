import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '../../common/startup-error.js';
import { createFolderAtomically } from './atomic-folder.js';
import type { Binaries } from './binaries.js';
import { failure, lastErrorMessage, reason } from './failure.js';
import type { ServerHome } from './server-home.js';
import { identityOf } from './server-user.js';

/** User and database of Keycard in its own cluster. */
export const databaseUser = 'keycard';
export const databaseName = 'keycard';

/** PostgreSQL's whole environment, so that clusters don't differ between machines. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

/**
 * Creates the cluster on the first start; afterwards, checks that these programs can read it.
 *
 * @throws StartupError
 */
export async function prepareCluster(home: ServerHome, binaries: Binaries): Promise<void> {
  if (!existsSync(home.cluster)) await createCluster(home, binaries);
  const found = majorVersion(home);
  const ours = binaries.version.split('.', 1)[0];
  if (found === ours) return;
  throw new StartupError(
    `DATA_DIR (${home.dataDirectory}) contains a PostgreSQL ${found} database, and this Keycard release uses PostgreSQL ` +
      `${ours}: back it up with the release that created it (npm run admin -- backup FILE), set DATA_DIR to another ` +
      'folder, and restore it there with this release (npm run admin -- restore FILE).',
  );
}

function majorVersion(home: ServerHome): string {
  try {
    return readFileSync(path.join(home.cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    throw failure(
      `The database in ${home.cluster} cannot be read`,
      error,
      'restore it from a backup, or set DATA_DIR to another folder',
    );
  }
}

async function createCluster({ cluster, dataDirectory, user }: ServerHome, binaries: Binaries): Promise<void> {
  try {
    await createFolderAtomically(cluster, async (folder) => {
      if (user !== undefined) await chown(folder, user.uid, user.gid);
      await run(binaries.initdb, initdbArguments(folder), identityOf(user));
    });
  } catch (error) {
    throw failure(
      `The database cannot be created in DATA_DIR (${dataDirectory})`,
      error,
      'fix that, or set DATA_DIR to another folder',
    );
  }
}

function initdbArguments(folder: string): string[] {
  // Trust until the first start sets a password; the socket folder is private.
  return ['-D', folder, '-U', databaseUser, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'];
}

function run(program: string, options: string[], identity: { uid?: number; gid?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
    // Its own process group: Ctrl-C in the terminal goes to Keycard only, which stops between two steps.
    const child = spawn(program, options, { ...identity, cwd: '/', env: serverEnvironment, stdio, detached: true });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => reject(new Error(cannotRun(program, error))));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(lastErrorMessage(output)))));
  });
}

/** Explains why a program couldn't start. ENOENT for an existing file means a missing loader, as on Alpine (musl). */
export function cannotRun(program: string, error: Error): string {
  const missesLoader = reason(error) === 'it does not exist' && existsSync(program);
  return missesLoader
    ? `${program} needs glibc, which Alpine Linux doesn't have`
    : `${program} cannot be run (${reason(error)})`;
}
