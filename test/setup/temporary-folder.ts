import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface TemporaryFolder {
  path: string;
  remove: () => Promise<void>;
}

const sharedMemory = '/dev/shm';
/** Far more than a run uses. Containers have 64 MB by default. */
const enoughBytes = 4 * 1024 ** 3;

/**
 * Keeps the temporary files of this process and its children in memory, on machines that have room for them. Creating the
 * hundreds of files of a database may take ten times as much CPU time on a disk.
 *
 * @returns a function that removes them
 */
export async function keepTemporaryFilesInMemory(): Promise<() => void> {
  if (process.env['TMPDIR'] !== undefined || !(await hasRoomInMemory())) return () => undefined;
  const folder = await mkdtemp(path.join(sharedMemory, 'keycard-tests-'));
  await chmod(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function hasRoomInMemory(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const options = new RegExp(`^\\S+ ${sharedMemory} tmpfs (\\S+)`, 'm').exec(mounts)?.[1]?.split(',') ?? ['noexec'];
  if (options.includes('noexec')) return false;
  const { bavail, bsize } = await statfs(sharedMemory);
  return bavail * bsize >= enoughBytes;
}

/** Creates a folder other users can enter: PostgreSQL runs as another user if tests run as root. */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'keycard-test-'));
  await chmod(folder, 0o755);
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
