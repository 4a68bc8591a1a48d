import pg, { type ClientConfig } from 'pg';
import { errorCode, errorMessage } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';

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
export async function detectSharedSessions(database: ClientConfig): Promise<boolean> {
  const clients = Array.from({ length: clientCount }, () => new pg.Client(database));
  for (const client of clients) client.on('error', () => undefined);
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
      `DATABASE_URL: the connection pooler has fewer than ${clientCount} free sessions; each replica uses up to 12.`,
    );
  } finally {
    for (const client of clients) client.connection.stream.destroy();
  }
}

async function readProcessId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}
