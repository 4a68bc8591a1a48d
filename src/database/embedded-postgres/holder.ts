import { Socket } from 'node:net';
import type pg from 'pg';
import { errorCode } from '../../common/errors/error-utils.js';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { FaultTolerantClient } from '../fault-tolerant-client.js';
import { databaseName, databaseUser } from './cluster.js';

/** Key of the advisory lock that one session per cluster holds. It ends with its process, so it never becomes stale. */
const lockKey = 0x6b_65_79_63_61_72_64;

/** The exclusive right to use and stop the server, until `release` or the end of the process. */
export interface Holder {
  /** Resolves after `release`, or when the server has closed the session. */
  readonly lost: Promise<unknown>;
  release(): Promise<void>;
}

export type HolderOutcome = Holder | { heldBy: number | undefined };

/** Connection options for the server with this socket. */
export function connectionTo(socketDirectory: string, port: number, password: string): DatabaseConnection {
  return { host: socketDirectory, port, user: databaseUser, database: databaseName, password, ssl: false };
}

/** Acquires the server for this process, or returns the process that holds it. */
export async function becomeHolder(connection: DatabaseConnection): Promise<HolderOutcome> {
  const { client, socket } = await connect(connection, `keycard holder pid ${process.pid}`);
  try {
    const lost = new Promise((resolve) => client.once('end', resolve));
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [lockKey]);
    if (rows[0]?.locked) {
      socket.unref();
      return { lost, release: () => end(client) };
    }
    const heldBy = await findHolder(client);
    await end(client);
    return { heldBy };
  } catch (error) {
    await end(client);
    throw error;
  }
}

async function findHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT activity.application_name AS name
       FROM pg_locks locks JOIN pg_stat_activity activity USING (pid)
      WHERE locks.locktype = 'advisory' AND locks.granted AND activity.datname = current_database()
        AND (locks.classid::bigint << 32 | locks.objid::bigint) = $1`,
    [lockKey],
  );
  const pid = /^keycard holder pid (\d+)$/.exec(rows[0]?.name ?? '')?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** Creates the database of a new cluster; throws if the server doesn't accept connections. */
export async function ensureDatabase(connection: DatabaseConnection): Promise<void> {
  const { client } = await connect(connection, 'keycard');
  await end(client);
}

async function connect(connection: DatabaseConnection, name: string): Promise<{ client: pg.Client; socket: Socket }> {
  try {
    return await open(connection, name);
  } catch (error) {
    if (errorCode(error) !== '3D000') throw error;
    await createDatabase(connection);
    return await open(connection, name);
  }
}

async function createDatabase(connection: DatabaseConnection): Promise<void> {
  const { client } = await open({ ...connection, database: 'postgres' }, 'keycard');
  try {
    await client.query(`CREATE DATABASE ${connection.database}`);
  } catch (error) {
    // 42P04 and 23505: another process has just created it.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    await end(client);
  }
}

async function open(connection: DatabaseConnection, name: string): Promise<{ client: pg.Client; socket: Socket }> {
  const socket = new Socket();
  const client = new FaultTolerantClient({ ...connection, application_name: name, stream: () => socket });
  await client.connect();
  return { client, socket };
}

async function end(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
