import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/errors/error-utils.js';
import { isRunning } from './process-table.js';

const inProgress = new Set<string>();

/**
 * Creates a folder that is either absent or complete: `fill` works in a temporary folder next to it, which is then renamed.
 * If another process was faster, its folder is kept and ours is discarded.
 */
export async function createFolderAtomically(target: string, fill: (folder: string) => Promise<void>): Promise<void> {
  await removeAbandoned(target);
  const temporary = `${target}.partial-${process.pid}-${randomBytes(4).toString('hex')}`;
  inProgress.add(temporary);
  try {
    await mkdir(temporary, { mode: 0o700 });
    await fill(temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
    const lostTheRace = ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '') && existsSync(target);
    if (!lostTheRace) throw error;
  } finally {
    inProgress.delete(temporary);
  }
}

/** Removes temporary folders of processes that were killed. */
async function removeAbandoned(target: string): Promise<void> {
  const parent = path.dirname(target);
  for (const name of await readdir(parent)) {
    const folder = path.join(parent, name);
    const pid = /\.partial-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (pid === undefined || !folder.startsWith(`${target}.partial-`)) continue;
    const alive = Number(pid) === process.pid ? inProgress.has(folder) : isRunning(Number(pid));
    if (!alive) await rm(folder, { recursive: true, force: true });
  }
}
