import pg, { type ClientConfig } from 'pg';
import { errorCode, errorMessage } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import { detectSharedSessions } from './detect-shared-sessions.js';

const minVersion = 15;

/** For connecting and for each query. */
const timeoutMilliseconds = 5000;

/** Messages by SQLSTATE or Node's error code. */
const explanations: Record<string, string> = {
  '28P01': 'DATABASE_URL: PostgreSQL rejects this user and password.',
  '28000': 'DATABASE_URL: PostgreSQL rejects this user; check its pg_hba.conf.',
  '3D000': 'DATABASE_URL: the database does not exist; create it, or correct its name.',
  ENOTFOUND: 'DATABASE_URL: the host name cannot be resolved.',
  ECONNREFUSED: 'DATABASE_URL: nothing listens at this host and port; start PostgreSQL there, or correct the URL.',
};

interface Server {
  version: number;
  isStandby: boolean;
}

/**
 * Checks that Keycard can work with the server.
 *
 * @throws StartupError that explains what is wrong with `DATABASE_URL`
 */
export async function checkDatabase(database: ClientConfig): Promise<void> {
  const limits = { connectionTimeoutMillis: timeoutMilliseconds, query_timeout: timeoutMilliseconds };
  const client = new pg.Client({ ...database, ...limits });
  client.on('error', () => undefined);
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
  return new StartupError(explanations[code] ?? `DATABASE_URL: PostgreSQL cannot be reached (${reason}).`);
}
