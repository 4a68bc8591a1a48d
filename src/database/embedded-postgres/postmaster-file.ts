import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { errorCode } from '../../common/errors/error-utils.js';
import { isPostmasterOf } from './process-table.js';
import { socketPath } from './socket-directory.js';

const emptyFileIsStaleAfterMilliseconds = 2_000;

/** A running server, not necessarily started by this process. */
export interface RunningPostmaster {
  pid: number;
  socketDirectory: string;
  port: number;
}

/** Parses `postmaster.pid`: pid, data, start time, port, socket folder, IP address, shared memory, status. */
export function parsePostmasterFile(text: string): RunningPostmaster | undefined {
  const [pid, , , port, socketDirectory] = text.split('\n');
  if (!pid || !port || !socketDirectory) return undefined;
  return { pid: Number(pid), port: Number(port), socketDirectory };
}

/** Finds the running server of a cluster. A file left by a stopped server is ignored. */
export async function findPostmaster(cluster: string): Promise<RunningPostmaster | undefined> {
  const text = readIfPresent(path.join(cluster, 'postmaster.pid'));
  const postmaster = text === undefined ? undefined : parsePostmasterFile(text);
  if (postmaster === undefined) return undefined;
  if (isPostmasterOf(cluster, postmaster.pid)) return postmaster;
  // A container that shares this folder has other pids; only the socket shows that a server is running.
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
 * Removes the lock files of a killed server. PostgreSQL does that itself, unless a process with the same pid exists: a
 * zombie, or an unrelated process that reuses it.
 */
export function removeStaleLocks(cluster: string, socketDirectory: string): void {
  for (const file of [path.join(cluster, 'postmaster.pid'), `${socketPath(socketDirectory)}.lock`]) {
    removeIfStale(file, cluster);
  }
}

function removeIfStale(file: string, cluster: string): void {
  if (!namesStoppedPostmaster(file, cluster)) return;
  // Renamed before the last check; if a server has started in between, it gets its file back.
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
    if (!namesStoppedPostmaster(aside, cluster)) linkSync(aside, file);
    rmSync(aside, { force: true });
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

function namesStoppedPostmaster(file: string, cluster: string): boolean {
  const text = readIfPresent(file);
  if (text === undefined) return false;
  // Empty after a crash of the machine, or while a server is about to write it.
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
