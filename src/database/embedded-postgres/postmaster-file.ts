import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';

import { errorCode } from '../../common/errors/error-facts.js';
import { isPostmasterOf } from './process-table.js';
import { socketPath } from './socket-directory.js';

const emptyFileIsStaleAfterMilliseconds = 2_000;

/** A server that runs on a cluster, whoever started it. */
export interface RunningPostmaster {
  pid: number;
  socketDirectory: string;
  port: number;
}

/** What `postmaster.pid` says: pid, data, start time, port, socket folder, address, shared memory, status. */
export function parsePostmasterFile(text: string): RunningPostmaster | undefined {
  const [pid, , , port, socketDirectory] = text.split('\n');
  if (!pid || !port || !socketDirectory) return undefined;
  return { pid: Number(pid), port: Number(port), socketDirectory };
}

/** The server that runs on this cluster; `undefined` when none does, even if one left its file behind. */
export async function findPostmaster(cluster: string): Promise<RunningPostmaster | undefined> {
  const text = readIfPresent(path.join(cluster, 'postmaster.pid'));
  const postmaster = text === undefined ? undefined : parsePostmasterFile(text);
  if (postmaster === undefined) return undefined;
  if (isPostmasterOf(cluster, postmaster.pid)) return postmaster;
  // A container that shares this folder has its own pids: there the socket alone tells that a server runs.
  return (await accepts(socketPath(postmaster.socketDirectory, postmaster.port))) ? postmaster : undefined;
}

function accepts(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const finish = (accepted: boolean) => {
      connection.destroy();
      resolve(accepted);
    };
    connection.once('connect', () => finish(true));
    connection.once('error', () => finish(false));
  });
}

/**
 * Removes the lock files of a server that was killed. PostgreSQL does so itself, unless the pid in them lives: as a
 * zombie, or as a process that was given the same number.
 */
export function removeStaleLocks(cluster: string, socketDirectory: string): void {
  for (const file of [path.join(cluster, 'postmaster.pid'), `${socketPath(socketDirectory)}.lock`]) {
    removeIfStale(file, cluster);
  }
}

function removeIfStale(file: string, cluster: string): void {
  if (!namesEndedPostmaster(file, cluster)) return;
  // Renamed before the last look: a server that started in the meantime gets its file back.
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    if (!namesEndedPostmaster(aside, cluster)) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

function namesEndedPostmaster(file: string, cluster: string): boolean {
  const text = readIfPresent(file);
  if (text === undefined) return false;
  // Empty: a crash of the machine left it so, or a server is about to write it.
  if (text === '') return Date.now() - statSync(file).mtimeMs > emptyFileIsStaleAfterMilliseconds;
  return !isPostmasterOf(cluster, Number(text.split('\n', 1)[0]));
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
