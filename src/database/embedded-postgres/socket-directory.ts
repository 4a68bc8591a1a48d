import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { StartupError } from '../../common/startup-error.js';
import { failure } from './failure.js';
import { hashOf, makePrivate, type ServerHome } from './server-home.js';
import { canEnter } from './server-user.js';

/** PostgreSQL names its socket after the port; nothing listens on the network. */
export const socketPort = 5432;

/** What the kernel's `sun_path` holds, without its closing zero. */
const longestSocketPathBytes = process.platform === 'darwin' ? 103 : 107;

/** Whether a socket in this folder has a path that the operating system can take. */
export function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(socketPath(folder)) <= longestSocketPathBytes;
}

/** The socket that a PostgreSQL client opens in this folder. */
export function socketPath(folder: string, port: number = socketPort): string {
  return path.join(folder, `.s.PGSQL.${port}`);
}

/** A folder for the server's socket that only its user can enter: beside the data, or a temporary one if too long. */
export function prepareSocketDirectory(home: ServerHome): string {
  const folder = chooseSocketDirectory(home);
  try {
    makePrivate(folder, home.user);
  } catch (error) {
    throw failure(
      `The folder ${folder} for PostgreSQL's socket cannot be made`,
      error,
      'set DATA_DIR to a shorter path',
    );
  }
  const status = lstatSync(folder);
  const isPrivate = status.isDirectory() && (status.mode & 0o077) === 0 && status.uid === ownerOf(home, status.uid);
  if (isPrivate) return folder;
  throw new StartupError(
    `The folder ${folder} for PostgreSQL's socket is open to other users: delete it, or set DATA_DIR to another path.`,
  );
}

function chooseSocketDirectory(home: ServerHome): string {
  const inside = path.join(home.folder, 'run');
  if (fitsSocket(inside)) return inside;
  const name = `keycard-${ownerOf(home, 0)}-${hashOf(home.folder)}`;
  const parent = [tmpdir(), '/tmp'].find(
    (folder) => fitsSocket(path.join(folder, name)) && (home.user === undefined || canEnter(folder, home.user)),
  );
  if (parent !== undefined) return path.join(parent, name);
  throw new StartupError(
    `DATA_DIR (${home.dataDirectory}) is too long a path for PostgreSQL's socket: set DATA_DIR to a shorter one.`,
  );
}

function ownerOf(home: ServerHome, otherwise: number): number {
  return home.user?.uid ?? process.getuid?.() ?? otherwise;
}
