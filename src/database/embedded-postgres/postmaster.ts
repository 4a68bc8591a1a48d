import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../../common/startup-error.js';
import type { Binaries } from './binaries.js';
import { cannotRun, serverEnvironment } from './cluster.js';
import { lastErrorMessage } from './failure.js';
import { isPostmasterOf } from './process-table.js';
import type { ServerHome } from './server-home.js';
import { logSettings, type ServerLog } from './server-log.js';
import { identityOf } from './server-user.js';

/** Another server holds the cluster, or the previous one hasn't ended yet. */
const blocked = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/;
const maxRecoveryMilliseconds = 10 * 60_000;
const pollMilliseconds = 10;

/** A server started by this process, which stops it on exit, even before holding it. */
export interface LaunchedPostmaster {
  pid: number | undefined;
  /** Leaves the server running when this process exits, because another process holds it. */
  leaveRunning: () => void;
}

/**
 * Starts a server and waits until it accepts connections.
 *
 * @returns undefined if another server holds the cluster
 * @throws StartupError with the reason from the server's log
 */
export async function launchPostmaster(
  home: ServerHome,
  binaries: Binaries,
  socketDirectory: string,
  flags: readonly string[],
  log: ServerLog,
): Promise<LaunchedPostmaster | undefined> {
  const file = log.open();
  const readLog = log.follow();
  // Its own process group: Ctrl-C in the terminal goes to Keycard only, which drains before it stops the server.
  const child = spawn(binaries.postgres, serverArguments(home.cluster, socketDirectory, flags), {
    ...identityOf(home.user),
    cwd: '/',
    env: serverEnvironment,
    stdio: ['ignore', 'ignore', file],
    detached: true,
  });
  closeSync(file);
  const leaveRunning = stopOnExit(child);
  const outcome = await waitUntilReady(child, binaries.postgres, readLog);
  // From now on, the server must not keep Keycard's process alive.
  child.unref();
  if (outcome.ready) return { pid: child.pid, leaveRunning };
  if (blocked.test(outcome.output)) return undefined;
  throw new StartupError(
    `The embedded PostgreSQL of DATA_DIR (${home.dataDirectory}) did not start: ${lastErrorMessage(outcome.output)}.`,
  );
}

/** Stops the server when this process exits, until the returned function is called. */
function stopOnExit(child: ChildProcess): () => void {
  const interrupt = () => void child.kill('SIGINT');
  const leaveRunning = () => void process.removeListener('exit', interrupt);
  process.once('exit', interrupt);
  child.once('exit', leaveRunning);
  return leaveRunning;
}

function serverArguments(cluster: string, socketDirectory: string, flags: readonly string[]): string[] {
  // The setting is a list; quotes protect commas and spaces in the path.
  const quoted = `"${socketDirectory.replaceAll('"', '""')}"`;
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${quoted}`,
    'unix_socket_permissions=0700',
    ...logSettings,
  ];
  return ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting]), ...flags];
}

async function waitUntilReady(
  child: ChildProcess,
  program: string,
  readLog: () => string,
): Promise<{ ready: boolean; output: string }> {
  let problem = '';
  let hasEnded = false;
  child.once('error', (error) => {
    problem = cannotRun(program, error);
    hasEnded = true;
  });
  child.once('exit', () => (hasEnded = true));
  const deadline = Date.now() + maxRecoveryMilliseconds;
  for (;;) {
    // Checked before the log is read, so that the last read includes everything the server wrote.
    const isLast = hasEnded;
    const output = readLog();
    if (output.includes('database system is ready to accept connections')) return { ready: true, output };
    if (isLast) return { ready: false, output: output + problem };
    if (Date.now() > deadline) {
      child.kill('SIGQUIT');
      const minutes = maxRecoveryMilliseconds / 60_000;
      return { ready: false, output: `${output}\nFATAL: it was not ready after ${minutes} minutes` };
    }
    await delay(pollMilliseconds);
  }
}

/** Requests a fast shutdown: the server ends its sessions, writes its data and stops. */
export function interruptPostmaster(cluster: string, pid: number): void {
  signal(cluster, pid, 'SIGINT');
}

/** Stops the server, with increasing force; no commit is lost. */
export async function stopPostmaster(cluster: string, pid: number): Promise<void> {
  for (const [name, patienceMilliseconds] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 5_000],
  ] as const) {
    signal(cluster, pid, name);
    if (await ended(cluster, pid, patienceMilliseconds)) return;
  }
  throw new Error(`The embedded PostgreSQL (pid ${pid}) cannot be stopped.`);
}

async function ended(cluster: string, pid: number, patienceMilliseconds: number): Promise<boolean> {
  const deadline = Date.now() + patienceMilliseconds;
  while (isPostmasterOf(cluster, pid)) {
    if (Date.now() > deadline) return false;
    await delay(pollMilliseconds);
  }
  return true;
}

function signal(cluster: string, pid: number, name: NodeJS.Signals): void {
  if (!isPostmasterOf(cluster, pid)) return;
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the check and the signal.
  }
}
