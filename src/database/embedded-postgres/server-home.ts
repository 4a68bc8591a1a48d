import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/errors/error-utils.js';
import { StartupError } from '../../common/startup-error.js';
import { failure } from './failure.js';
import { canEnter, serverUser, type ServerUser } from './server-user.js';

/** Folder for data and programs that PostgreSQL's user can't reach in the checkout or in DATA_DIR. */
export const systemFolder = '/var/lib/keycard';

const noteName = 'postgresql-is-elsewhere.txt';

/** Location and user of the PostgreSQL server of a DATA_DIR. */
export interface ServerHome {
  /** DATA_DIR as an absolute path, for messages. */
  dataDirectory: string;
  /** Owned by the server's user, mode 0700. */
  folder: string;
  cluster: string;
  /** The user the server must run as; undefined for Keycard's own. */
  user: ServerUser | undefined;
}

/** A short hash of the folder's real path. */
export function hashOf(folder: string): string {
  return createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 16);
}

/**
 * Creates DATA_DIR and chooses the server's folder: inside it, or `elsewhere` if the server's user can't enter it.
 *
 * @throws StartupError
 */
export function prepareServerHome(dataDirectory: string, elsewhere: string = systemFolder): ServerHome {
  const absolute = path.resolve(dataDirectory);
  try {
    makeDataDirectory(absolute);
    const folder = chooseFolder(absolute, elsewhere);
    const home = describe(absolute, folder);
    makePrivate(folder, home.user);
    checkOwner(home);
    return home;
  } catch (error) {
    throw failure(
      `DATA_DIR (${absolute}) cannot be used`,
      error,
      'make it writable for Keycard, or set DATA_DIR to another folder',
    );
  }
}

function makeDataDirectory(dataDirectory: string): void {
  // If Keycard runs as root, the server's user must be able to pass through the folder, but not to list it.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  makeFolders(dataDirectory, mode);
}

/** Like `mkdir -p`. Node's recursive `mkdir` never returns if the system reports ENOENT, as below /proc. */
function makeFolders(folder: string, mode: number): void {
  const parent = path.dirname(folder);
  if (!existsSync(parent) && parent !== folder) makeFolders(parent, mode);
  makeFolder(folder, mode);
}

function describe(dataDirectory: string, folder: string): ServerHome {
  const cluster = path.join(folder, 'data');
  return { dataDirectory, folder, cluster, user: serverUser(existsSync(cluster) ? cluster : folder) };
}

function chooseFolder(dataDirectory: string, elsewhere: string): string {
  const inside = path.join(dataDirectory, 'postgresql');
  const noted = readNote(dataDirectory, elsewhere);
  if (noted !== undefined) return noted;
  const { user, cluster } = describe(dataDirectory, inside);
  if (user === undefined || canEnter(dataDirectory, user)) return inside;
  if (existsSync(cluster)) {
    throw new StartupError(
      `PostgreSQL runs as user ${user.name}, who cannot enter DATA_DIR (${dataDirectory}): ` +
        'give that user permission to enter it and the folders above it (chmod o+x).',
    );
  }
  return moveElsewhere(dataDirectory, elsewhere, user);
}

function readNote(dataDirectory: string, elsewhere: string): string | undefined {
  const note = path.join(dataDirectory, noteName);
  if (!existsSync(note)) return undefined;
  const folder = readFileSync(note, 'utf8').trimEnd().split('\n').at(-1) ?? '';
  const isOurs = path.dirname(folder) === elsewhere;
  if (isOurs && existsSync(folder)) return folder;
  throw new StartupError(
    `${note} says that the data is in ${folder}, which does not exist: ` +
      'restore that folder, or delete the note to start with an empty database.',
  );
}

function moveElsewhere(dataDirectory: string, elsewhere: string, user: ServerUser): string {
  const folder = path.join(elsewhere, hashOf(dataDirectory));
  makeFolders(elsewhere, 0o755);
  makePrivate(folder, user);
  const note = path.join(dataDirectory, noteName);
  writeFileSync(
    `${note}.${process.pid}`,
    `Keycard was started as root. PostgreSQL refuses to run as root, so it runs as user ${user.name},\n` +
      `who cannot enter ${dataDirectory}. Its data is therefore in\n${folder}\n`,
  );
  renameSync(`${note}.${process.pid}`, note);
  return folder;
}

/** Creates a folder that only the server's user can enter. */
export function makePrivate(folder: string, user: ServerUser | undefined): void {
  makeFolder(folder, 0o700);
  if (user !== undefined && statSync(folder).uid === 0) chownSync(folder, user.uid, user.gid);
}

function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** PostgreSQL runs only as the owner of its data, never as root. */
function checkOwner({ dataDirectory, folder, cluster, user }: ServerHome): void {
  const owner = statSync(existsSync(cluster) ? cluster : folder).uid;
  if (owner === (user?.uid ?? process.getuid?.() ?? owner)) return;
  throw new StartupError(
    user === undefined
      ? `The data in DATA_DIR (${dataDirectory}) belongs to the user with ID ${owner}: ` +
          'start Keycard as that user, or set DATA_DIR to another folder.'
      : `The data in ${folder} belongs to root, and PostgreSQL refuses to run as root: ` +
          `run chown -R ${user.name} "${folder}".`,
  );
}
