import pg, { type ClientConfig } from 'pg';
import { errorCode, errorMessage } from '../common/errors/error-facts.js';
import { StartupError } from '../common/startup-error.js';

const oldestVersion = 15;

/** What is wrong, by SQLSTATE or Node's error code; every sentence begins with the variable's name. */
const explanations: Record<string, string> = {
  '28P01': 'DATABASE_URL: PostgreSQL refuses this user and password.',
  '28000': 'DATABASE_URL: PostgreSQL refuses this user; see its pg_hba.conf.',
  '3D000': 'DATABASE_URL: the database does not exist; create it, or correct its name.',
  ENOTFOUND: 'DATABASE_URL: the host name is not known.',
  ECONNREFUSED: 'DATABASE_URL: nothing listens at this host and port; start PostgreSQL there, or correct the address.',
};

/**
 * Connects once, so that a wrong address is reported before anything else happens.
 *
 * @throws StartupError that says what is wrong with `DATABASE_URL`
 */
export async function checkDatabase(database: ClientConfig): Promise<void> {
  const client = new pg.Client({ ...database, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`);
    const version = Math.floor(Number(rows[0]?.version) / 10_000);
    if (version < oldestVersion) {
      throw new StartupError(`DATABASE_URL: Keycard needs PostgreSQL ${oldestVersion} or later; this is ${version}.`);
    }
  } catch (error) {
    throw explain(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function explain(error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  const code = errorCode(error) ?? '';
  const reason = errorMessage(error) || code;
  return new StartupError(explanations[code] ?? `DATABASE_URL: PostgreSQL cannot be reached (${reason}).`);
}
