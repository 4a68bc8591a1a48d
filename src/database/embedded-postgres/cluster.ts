import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import path from 'node:path';

import { StartupError } from '../../common/startup-error.js';
import { createFolderAtomically } from './atomic-folder.js';
import type { Binaries } from './binaries.js';
import { failure, lastComplaint, reason } from './failure.js';
import type { ServerHome } from './server-home.js';
import { identityOf } from './server-user.js';

/** The user and the database that Keycard finds in a cluster of its own. */
export const databaseUser = 'keycard';
export const databaseName = 'keycard';

/** All that PostgreSQL may know of our environment: anything more would make clusters differ between machines. */
export const serverEnvironment = { LC_ALL: 'C', TZ: 'UTC' };

/** Makes the cluster at the first start; later, checks that these programs can read it. */
export async function prepareCluster(home: ServerHome, binaries: Binaries): Promise<void> {
  if (!existsSync(home.cluster)) await createCluster(home, binaries);
  const found = majorVersion(home);
  const ours = binaries.version.split('.', 1)[0];
  if (found === ours) return;
  throw new StartupError(
    `DATA_DIR (${home.dataDirectory}) holds a database of PostgreSQL ${found}, and this Keycard brings PostgreSQL ` +
      `${ours}: dump it with the Keycard that made it and restore it here, or set DATA_DIR to another folder.`,
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
      'mend that, or set DATA_DIR to another folder',
    );
  }
}

function initdbArguments(folder: string): string[] {
  // Trust until the server has run and has a password; the socket's folder keeps others out.
  return ['-D', folder, '-U', databaseUser, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'];
}

function run(program: string, options: string[], identity: { uid?: number; gid?: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
    // Its own process group: a Ctrl-C in the terminal is for Keycard, which ends only between two steps.
    const child = spawn(program, options, { ...identity, cwd: '/', env: serverEnvironment, stdio, detached: true });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('error', (error) => reject(new Error(cannotRun(program, error))));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(lastComplaint(output)))));
  });
}

/** Why a program could not even begin. A file that exists but is "not found" lacks its loader: Alpine's musl. */
export function cannotRun(program: string, error: Error): string {
  const missesLoader = reason(error) === 'it does not exist' && existsSync(program);
  return missesLoader
    ? `${program} needs a system with glibc, which Alpine Linux is not`
    : `${program} cannot be run, ${reason(error)}`;
}
