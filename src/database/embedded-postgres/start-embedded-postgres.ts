import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, errorMessage } from '../../common/errors/error-utils.js';
import { StartupError } from '../../common/startup-error.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { findPackage, usableBinaries, type Binaries } from './binaries.js';
import { prepareCluster } from './cluster.js';
import { exitOnSignals } from './exit-on-signals.js';
import { reason } from './failure.js';
import { HeldPostgres, type HeldServer, type Supervision } from './held-postgres.js';
import { becomeHolder, connectionTo, ensureDatabase } from './holder.js';
import { findPostmaster, removeStaleLocks, type RunningPostmaster } from './postmaster-file.js';
import { launchPostmaster, type LaunchedPostmaster } from './postmaster.js';
import { isRunning } from './process-table.js';
import { prepareServerHome, systemFolder, type ServerHome } from './server-home.js';
import { ServerLog } from './server-log.js';
import { loadOrCreatePassword, requirePassword, wrongPassword } from './server-password.js';
import { prepareSocketDirectory } from './socket-directory.js';

/** A PostgreSQL server on this machine, behind a Unix socket that only its user and Keycard's user can open. */
export interface EmbeddedPostgres {
  /** Unchanged by restarts. */
  connection: DatabaseConnection;
  /** Stops the server, unless another process holds it. */
  stop: () => Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** More arguments for the server, such as `-c shared_buffers=1GB`; ignored if it is already running. */
  flags?: string[];
  /**
   * For command-line tools: joins a server that is already running, and leaves it running. A server started by the tool
   * stops with it, even on a signal.
   */
  shared?: boolean;
  /** Restarts a server that ends unexpectedly; if undefined, the server stays down. */
  supervision?: Supervision;
}

interface Attempt {
  home: ServerHome;
  binaries: Binaries;
  flags: readonly string[];
  shared: boolean;
  log: ServerLog;
  password: string;
}

/** A running server, held by this process or joined. */
type Reached = HeldServer | { connection: DatabaseConnection; holder: undefined };

const patienceMilliseconds = 60_000;
const pollMilliseconds = 20;

/**
 * Starts the PostgreSQL server with its data in `dataDirectory`, created on the first start. One process at a time holds
 * it; a server left running by a killed process is taken over.
 *
 * @throws StartupError
 */
export async function startEmbeddedPostgres(
  dataDirectory: string,
  options: EmbeddedPostgresOptions = {},
): Promise<EmbeddedPostgres> {
  const { flags = [], shared = false, supervision } = options;
  if (shared) exitOnSignals();
  try {
    const home = prepareServerHome(dataDirectory);
    const copyParent = home.user === undefined ? home.folder : systemFolder;
    const binaries = await usableBinaries(findPackage(), home.user, copyParent);
    await prepareCluster(home, binaries);
    const log = new ServerLog(home.dataDirectory);
    const password = loadOrCreatePassword(home);
    const attempt = { home, binaries, flags, shared, log, password };
    const server = await reach(attempt);
    await requirePassword(home, server.connection);
    if (server.holder === undefined) return { connection: server.connection, stop: () => Promise.resolve() };
    const restart = { cluster: home.cluster, log, hold: () => reachAndHold({ ...attempt, shared: false }) };
    const held = new HeldPostgres(server, restart, supervision);
    // Plain data: copies of an object with a getter would lose the connection.
    return { connection: server.connection, stop: () => held.stop() };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The embedded PostgreSQL of DATA_DIR (${dataDirectory}) did not start: ${reason(error)}.`);
  }
}

async function reachAndHold(attempt: Attempt): Promise<HeldServer> {
  const server = await reach(attempt);
  if (server.holder === undefined) throw new Error('The server is held by another process.');
  return server;
}

async function reach(attempt: Attempt): Promise<Reached> {
  const deadline = Date.now() + patienceMilliseconds;
  let problem = 'another process has locked its data';
  let launched: LaunchedPostmaster | undefined;
  do {
    let running = await findPostmaster(attempt.home.cluster);
    if (running === undefined) {
      launched = await launch(attempt);
      running = await findPostmaster(attempt.home.cluster);
    }
    try {
      const server = running && (await hold(attempt, running, launched));
      if (server) return server;
    } catch (error) {
      if (errorCode(error) === '28P01') throw wrongPassword(attempt.home);
      if (!isTransient(error)) throw error;
      problem = reason(error);
    }
    await delay(pollMilliseconds);
  } while (Date.now() < deadline);
  throw new StartupError(
    `The embedded PostgreSQL of DATA_DIR (${attempt.home.dataDirectory}) could not be reached within ` +
      `${patienceMilliseconds / 1000} s: ${problem}.`,
  );
}

async function launch({ home, binaries, flags, log }: Attempt): Promise<LaunchedPostmaster | undefined> {
  const socketDirectory = prepareSocketDirectory(home);
  const launched = await launchPostmaster(home, binaries, socketDirectory, flags, log);
  if (launched === undefined) removeStaleLocks(home.cluster, socketDirectory);
  return launched;
}

/** Whether the server is starting, stopping or was just killed, so that another attempt can succeed. */
function isTransient(error: unknown): boolean {
  const code = errorCode(error) ?? '';
  const socketCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'EAGAIN'];
  const stateCodes = ['57P01', '57P02', '57P03', '53300'];
  const closed = errorMessage(error).startsWith('Connection terminated');
  return closed || socketCodes.includes(code) || stateCodes.includes(code);
}

async function hold(
  { home, shared, password }: Attempt,
  running: RunningPostmaster,
  launched: LaunchedPostmaster | undefined,
): Promise<Reached | undefined> {
  const connection = connectionTo(running.socketDirectory, running.port, password);
  if (shared && running.pid !== launched?.pid) {
    await ensureDatabase(connection);
    return { connection, holder: undefined };
  }
  const outcome = await becomeHolder(connection);
  if ('release' in outcome) return { pid: running.pid, connection, holder: outcome };
  launched?.leaveRunning();
  if (shared) return { connection, holder: undefined };
  // The session of a killed process may briefly outlive it.
  if (outcome.heldBy === undefined || !isRunning(outcome.heldBy)) return undefined;
  throw new StartupError(
    `DATA_DIR (${home.dataDirectory}) is in use by another Keycard process (pid ${outcome.heldBy}): ` +
      'stop that process, or set DATA_DIR to another folder.',
  );
}
