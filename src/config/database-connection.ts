import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { ClientConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';

/**
 * How to reach a database. What identifies the server is required: pg would take what is missing from `PG*` variables, or
 * connect to 127.0.0.1:5432. Plain data, so that it can be copied and sent to workers.
 */
export interface DatabaseConnection extends Omit<ClientConfig, 'connectionString'> {
  /** A host name or address, or the folder of a Unix socket. */
  host: string;
  port: number;
  user: string;
  database: string;
  /** Empty if the server doesn't ask for one. */
  password: string;
  ssl: NonNullable<ClientConfig['ssl']>;
}

const defaultPort = 5432;

/**
 * Reads `DATABASE_URL`.
 *
 * @throws StartupError if a file that it names can't be read
 */
export function connectionOf(databaseUrl: string): DatabaseConnection {
  checkFiles(databaseUrl);
  const given = parseIntoClientConfig(databaseUrl);
  delete given.connectionString;
  const user = given.user || currentUser();
  return {
    ...given,
    host: given.host || 'localhost',
    port: given.port ?? defaultPort,
    user,
    database: given.database || user,
    password: typeof given.password === 'string' ? given.password : '',
    ssl: given.ssl ?? false,
  };
}

/** The default user of PostgreSQL's clients. A container may run as a user without a name. */
function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'postgres';
  }
}

/** Reads the certificates before pg does, whose error wouldn't name the setting. */
function checkFiles(databaseUrl: string): void {
  const { searchParams } = new URL(databaseUrl);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(name);
    if (file === null || file === '') continue;
    try {
      readFileSync(file);
    } catch (error) {
      const reason = errorCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${errorCode(error)})`;
      throw new StartupError(`DATABASE_URL: the file of ${name}, ${file}, ${reason}.`);
    }
  }
}

/** The variables that pg reads. Others, such as `PGDATA`, have no effect. */
const postgresVariables = [
  'PGAPPNAME',
  'PGBINARY',
  'PGCLIENT_ENCODING',
  'PGCONNECT_TIMEOUT',
  'PGDATABASE',
  'PGHOST',
  'PGOPTIONS',
  'PGPASSWORD',
  'PGPORT',
  'PGREPLICATION',
  'PGSSLMODE',
  'PGSSLNEGOTIATION',
  'PGUSER',
];

/**
 * Removes the variables that pg would read from this process, because they would change each connection, also to the
 * embedded database.
 *
 * @returns a warning that names them; undefined if there were none
 */
export function ignorePostgresVariables(): string | undefined {
  const found = postgresVariables.filter((name) => process.env[name] !== undefined);
  for (const name of found) delete process.env[name];
  return found.length === 0 ? undefined : `Ignoring ${found.join(', ')}: Keycard reads only DATABASE_URL.`;
}
