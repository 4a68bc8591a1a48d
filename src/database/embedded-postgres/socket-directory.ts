import { lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartupError } from '../../common/startup-error.js';
import { failure } from './failure.js';
import { hashOf, makePrivate, type ServerHome } from './server-home.js';
import { canEnter } from './server-user.js';

/** Only part of the socket's name; nothing listens on the network. */
export const socketPort = 5432;

/** Size of the kernel's `sun_path` without its terminating zero. */
const maxSocketPathBytes = process.platform === 'darwin' ? 103 : 107;

/** Whether the path of a socket in this folder is short enough for the operating system. */
export function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(socketPath(folder)) <= maxSocketPathBytes;
}

/** Path of the socket that PostgreSQL clients open in this folder. */
export function socketPath(folder: string, port: number = socketPort): string {
  return path.join(folder, `.s.PGSQL.${port}`);
}

/**
 * Creates a private folder for the server's socket: next to the data, or a temporary folder if that path is too long.
 *
 * @throws StartupError
 */
export function prepareSocketDirectory(home: ServerHome): string {
  const folder = chooseSocketDirectory(home);
  try {
    makePrivate(folder, home.user);
  } catch (error) {
    throw failure(
      `The folder ${folder} for PostgreSQL's socket cannot be created`,
      error,
      'set DATA_DIR to a shorter path',
    );
  }
  const status = lstatSync(folder);
  const isPrivate = status.isDirectory() && (status.mode & 0o077) === 0 && status.uid === ownerOf(home, status.uid);
  if (isPrivate) return folder;
  throw new StartupError(
    `The folder ${folder} for PostgreSQL's socket is accessible to other users: delete it, or set DATA_DIR to another path.`,
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
    `The path of DATA_DIR (${home.dataDirectory}) is too long for PostgreSQL's socket: set DATA_DIR to a shorter one.`,
  );
}

function ownerOf(home: ServerHome, otherwise: number): number {
  return home.user?.uid ?? process.getuid?.() ?? otherwise;
}
