import type pg from 'pg';
import { errorCode, errorMessage } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import type { DatabaseConnection } from '../config/database-connection.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';

const minVersion = 15;

/** For connecting and for each query. */
const timeoutMilliseconds = 5000;

/** Messages by SQLSTATE or Node's error code. */
const explanations: Record<string, string> = {
  '28P01': 'DATABASE_URL: PostgreSQL rejects this user and password.',
  '28000': 'DATABASE_URL: PostgreSQL rejects this user; check its pg_hba.conf.',
  '3D000': 'DATABASE_URL: the database does not exist; create it, or correct its name.',
  ENOTFOUND: 'DATABASE_URL: the host name cannot be resolved.',
  CERT_HAS_EXPIRED: "DATABASE_URL: the server's certificate has expired; renew it.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "DATABASE_URL: the server's certificate is for another host name; use a host name that it contains.",
  ECONNREFUSED: 'DATABASE_URL: nothing listens at this host and port; start PostgreSQL there, or correct the URL.',
};

/** OpenSSL's errors for a certificate that no known authority has signed. */
const untrusted =
  /^(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?))$/;

interface Server {
  version: number;
  isStandby: boolean;
}

/**
 * Checks that Keycard can work with the server.
 *
 * @throws StartupError that explains what is wrong with `DATABASE_URL`
 */
export async function checkDatabase(database: DatabaseConnection): Promise<void> {
  const limits = { connectionTimeoutMillis: timeoutMilliseconds, query_timeout: timeoutMilliseconds };
  const client = new FaultTolerantClient({ ...database, ...limits });
  try {
    await client.connect();
    const { rows } = await client.query<Server>(
      `select current_setting('server_version_num')::int / 10000 as version, pg_is_in_recovery() as "isStandby"`,
    );
    checkServer(rows[0]);
    if (await detectSharedSessions({ ...database, ...limits })) throw new StartupError(sharedSessions);
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const sharedSessions =
  'DATABASE_URL: a connection pooler in transaction or statement mode gives sessions to several clients. ' +
  'Set it to session mode (PgBouncer: pool_mode = session), or set DATABASE_URL to PostgreSQL itself.';

function checkServer(server: Server | undefined): void {
  if (server === undefined || server.version < minVersion) {
    throw new StartupError(
      `DATABASE_URL: Keycard needs PostgreSQL ${minVersion} or later; this is ${server?.version ?? 'unknown'}.`,
    );
  }
  if (server.isStandby) {
    throw new StartupError('DATABASE_URL: this server is a standby (read replica). Set DATABASE_URL to the primary.');
  }
}

function explain(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  const code = errorCode(error) ?? '';
  const reason = errorMessage(error) || code;
  if (untrusted.test(code)) {
    return new StartupError(
      `DATABASE_URL: the server's certificate is not trusted (${reason}). If a private CA has signed it, add the CA's ` +
        'certificate: sslmode=verify-full&sslrootcert=/path/to/ca.pem.',
    );
  }
  if (reason === 'The server does not support SSL connections') {
    return new StartupError('DATABASE_URL: the server has TLS turned off; turn it on there, or remove sslmode.');
  }
  return new StartupError(explanations[code] ?? `DATABASE_URL: PostgreSQL cannot be reached (${reason}).`);
}

/** More than the likely number of pooler processes: two clients of the same process find each other's session. */
const clientCount = 5;

/** SQLSTATE protocol_violation: PgBouncer's response to a transaction in statement mode. */
const noTransactions = '08P01';

/**
 * Returns whether a pooler shares sessions between clients, as in transaction or statement mode. Session settings,
 * prepared statements and locks would then leak to other clients.
 *
 * Each client reads its backend's process ID, first outside and then inside a transaction that it keeps open. Without a
 * pooler, or in session mode, each client has its own constant process ID.
 *
 * @param database with time limits, because a pooler lets clients wait for a free session
 * @throws StartupError if the pooler has too few sessions, or any error of pg
 */
export async function detectSharedSessions(database: DatabaseConnection): Promise<boolean> {
  const clients = Array.from({ length: clientCount }, () => new FaultTolerantClient(database));
  const owners = new Map<number, pg.Client>();
  const isShared = async (client: pg.Client) => {
    const pid = await readProcessId(client);
    const owner = owners.get(pid) ?? client;
    owners.set(pid, owner);
    return owner !== client || [...owners.values()].filter((other) => other === client).length > 1;
  };
  try {
    for (const client of clients) {
      await client.connect();
      if ((await isShared(client)) || (await isShared(client))) return true;
    }
    for (const client of clients) {
      await client.query('begin');
      if (await isShared(client)) return true;
    }
    return false;
  } catch (error) {
    if (errorCode(error) === noTransactions) return true;
    if (errorMessage(error) !== 'Query read timeout') throw error;
    throw new StartupError(
      `DATABASE_URL: the connection pooler has fewer than ${clientCount} free sessions; each replica uses up to 15.`,
    );
  } finally {
    for (const client of clients) client.connection.stream.destroy();
  }
}

async function readProcessId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
