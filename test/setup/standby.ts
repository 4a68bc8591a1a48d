import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { findPackage, usableBinaries } from '../../src/database/embedded-postgres/binaries.js';
import { connectionTo } from '../../src/database/embedded-postgres/holder.js';
import { prepareServerHome, systemFolder } from '../../src/database/embedded-postgres/server-home.js';
import { identityOf } from '../../src/database/embedded-postgres/server-user.js';
import { prepareSocketDirectory, socketPort } from '../../src/database/embedded-postgres/socket-directory.js';
import { waitFor } from './wait-for.js';

export interface Standby {
  connection: DatabaseConnection;
  stop: () => Promise<void>;
}

interface Primary {
  /** The `DATA_DIR` of a running embedded PostgreSQL. */
  dataDirectory: string;
  connection: DatabaseConnection;
}

/**
 * Starts a streaming standby from a base backup of the primary.
 *
 * @param dataDirectory an empty folder
 * @param applyDelay how far it lags behind, such as `30s`
 * @param upstream how it reaches the primary, if not as this process does
 */
export async function startStandby(
  primary: Primary,
  dataDirectory: string,
  applyDelay: string,
  upstream: DatabaseConnection = primary.connection,
): Promise<Standby> {
  const source = prepareServerHome(primary.dataDirectory);
  const home = prepareServerHome(dataDirectory);
  const identity = identityOf(home.user);
  const label = await backUp(primary.connection, async () => {
    const copy = spawn('cp', ['-R', source.cluster, home.cluster], { ...identity, stdio: 'inherit' });
    const [code] = (await once(copy, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`The base backup failed: cp exited with ${code}.`);
  });
  await rm(path.join(home.cluster, 'postmaster.pid'));
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    const file = path.join(home.cluster, name);
    await writeFile(file, text);
    if (home.user) await chown(file, home.user.uid, home.user.gid);
  }

  const { postgres } = await usableBinaries(findPackage(), home.user, home.user ? systemFolder : home.folder);
  const socketDirectory = prepareSocketDirectory(home);
  const { host, port, user, password } = upstream;
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${socketDirectory}`,
    `primary_conninfo=host=${host} port=${port} user=${user} password=${password}`,
    `recovery_min_apply_delay=${applyDelay}`,
  ];
  const server = spawn(postgres, ['-D', home.cluster, ...settings.flatMap((setting) => ['-c', setting])], {
    ...identity,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: 'ignore',
  });
  const exited = once(server, 'exit');
  const connection = connectionTo(socketDirectory, socketPort, password);
  const stop = async () => {
    server.kill('SIGINT');
    await exited;
  };
  await waitFor(() => {
    if (server.exitCode !== null) throw new Error(`The standby exited with ${server.exitCode}.`);
    return isStreaming(connection);
  });
  return { connection, stop };
}

/** Copies the running cluster and returns the backup label, which makes the copy consistent. */
async function backUp(connection: DatabaseConnection, copy: () => Promise<void>): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`);
    await copy();
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    return rows[0]?.labelfile ?? '';
  } finally {
    await client.end();
  }
}

async function isStreaming(connection: DatabaseConnection): Promise<boolean> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query(`select from pg_stat_wal_receiver where status = 'streaming'`);
    return rowCount === 1;
  } catch {
    // Still starting.
    return false;
  } finally {
    await client.end();
  }
}
