import { setTimeout as delay } from 'node:timers/promises';

import { StartupError } from '../../common/startup-error.js';
import { findPackage, usableBinaries, type Binaries } from './binaries.js';
import { prepareCluster } from './cluster.js';
import { errorCode, errorMessage } from '../../common/errors/error-facts.js';
import { reason } from './failure.js';
import { becomeHolder, connectionTo, ensureDatabase, type EmbeddedConnection, type Holder } from './holder.js';
import { findPostmaster, removeStaleLocks, type RunningPostmaster } from './postmaster-file.js';
import { interruptPostmaster, launchPostmaster, stopPostmaster } from './postmaster.js';
import { isRunning } from './process-table.js';
import { prepareServerHome, systemFolder, type ServerHome } from './server-home.js';
import { prepareSocketDirectory } from './socket-directory.js';

/** A PostgreSQL server on this machine, reachable through a Unix socket that only its user and Keycard's can open. */
export interface EmbeddedPostgres {
  /** What `pg.Client` takes. */
  connection: EmbeddedConnection;
  /** Stops the server, unless another process started it and still uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Further arguments of the server, such as `-c shared_buffers=1GB`; a server that already runs keeps its own. */
  flags?: string[];
  /** For a tool beside the service: joins a running server, whoever holds it, and then leaves it running. */
  shared?: boolean;
}

interface Attempt {
  home: ServerHome;
  binaries: Binaries;
  flags: readonly string[];
  shared: boolean;
}

const patienceMilliseconds = 60_000;
const pollMilliseconds = 20;

/**
 * Starts the PostgreSQL server whose data are under `dataDirectory`, which is made at the first start. One process at
 * a time holds it; a server that a killed process left running is taken over.
 *
 * @throws StartupError with one sentence for the operator.
 */
export async function startEmbeddedPostgres(
  dataDirectory: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const { flags = [], shared = false } = options;
  try {
    const home = prepareServerHome(dataDirectory);
    const copyParent = home.user === undefined ? home.folder : systemFolder;
    const binaries = await usableBinaries(findPackage(), home.user, copyParent);
    await prepareCluster(home, binaries);
    return await attemptUntilHeld({ home, binaries, flags, shared });
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The embedded PostgreSQL of DATA_DIR (${dataDirectory}) did not start: ${reason(error)}.`);
  }
}

async function attemptUntilHeld(attempt: Attempt): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + patienceMilliseconds;
  let obstacle = 'another process keeps its data locked';
  do {
    const { running, launched } = await findOrLaunch(attempt);
    try {
      const postgres = running && (await hold(attempt, running, launched));
      if (postgres) return postgres;
    } catch (error) {
      if (!isPassing(error)) throw error;
      obstacle = reason(error);
    }
    await delay(pollMilliseconds);
  } while (Date.now() < deadline);
  throw new StartupError(
    `The embedded PostgreSQL of DATA_DIR (${attempt.home.dataDirectory}) could not be reached within ` +
      `${patienceMilliseconds / 1000} s: ${obstacle}.`,
  );
}

interface Found {
  running: RunningPostmaster | undefined;
  launched: boolean;
}

async function findOrLaunch({ home, binaries, flags }: Attempt): Promise<Found> {
  const running = await findPostmaster(home.cluster);
  if (running !== undefined) return { running, launched: false };
  const socketDirectory = prepareSocketDirectory(home);
  const outcome = await launchPostmaster(home, binaries, socketDirectory, flags);
  if (outcome === 'blocked') removeStaleLocks(home.cluster, socketDirectory);
  return { running: await findPostmaster(home.cluster), launched: outcome === 'ready' };
}

/** A server that starts, stops or has just been killed: the next attempt will meet something else. */
function isPassing(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  const socketCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'EAGAIN'];
  const stateCodes = ['57P01', '57P02', '57P03', '53300'];
  const closed = errorMessage(error).startsWith('Connection terminated');
  return closed || socketCodes.includes(code) || stateCodes.includes(code);
}

async function hold(
  { home, shared }: Attempt,
  running: RunningPostmaster,
  launched: boolean,
): Promise<EmbeddedPostgres | undefined> {
  const connection = connectionTo(running.socketDirectory, running.port);
  if (shared && !launched) {
    await ensureDatabase(connection);
    return { connection, stop: () => Promise.resolve() };
  }
  const outcome = await becomeHolder(connection);
  if ('release' in outcome) return heldPostgres(home.cluster, running.pid, connection, outcome);
  if (shared) return { connection, stop: () => Promise.resolve() };
  // The session of a killed process may outlive it by a moment.
  if (outcome.heldBy === undefined || !isRunning(outcome.heldBy)) return undefined;
  throw new StartupError(
    `DATA_DIR (${home.dataDirectory}) is in use by another Keycard process (pid ${outcome.heldBy}): ` +
      'stop that one, or set DATA_DIR to another folder.',
  );
}

function heldPostgres(cluster: string, pid: number, connection: EmbeddedConnection, holder: Holder): EmbeddedPostgres {
  const interrupt = () => interruptPostmaster(cluster, pid);
  process.once('exit', interrupt);
  let stopped: Promise<void> | undefined;
  // The lock is kept until the server has ended, so that nobody takes over what is about to stop.
  const stop = async () => {
    process.removeListener('exit', interrupt);
    await stopPostmaster(cluster, pid);
    await holder.release();
  };
  return { connection, stop: () => (stopped ??= stop()) };
}
