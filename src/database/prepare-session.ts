import type { ClientBase } from 'pg';

/** The server is in recovery: its data may lag behind the primary's, and it rejects writes. */
export class StandbyError extends Error {
  override name = 'StandbyError';
  /** SQLSTATE read_only_sql_transaction, the error of a write on a standby. */
  readonly code = '25006';

  constructor() {
    super('The PostgreSQL server is a standby.');
  }
}

/**
 * Ends the backend of a lost client within seconds, even during a statement, so that it releases its locks. Windows
 * can't watch the socket during a statement.
 */
const detectLostClients = `
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  select set_config('client_connection_check_interval', '2000', false)
  where version() !~* 'windows|mingw|visual c'`;

/**
 * Configures a new connection to a primary. PostgreSQL closes all connections before it becomes a standby, so this check
 * stays valid for the lifetime of the connection.
 *
 * @param settings `set` statements, separated by semicolons
 * @throws StandbyError, or any error of pg
 */
export async function prepareSession(client: ClientBase, settings: string): Promise<void> {
  const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
  if (rows[0]?.isStandby !== false) throw new StandbyError();
  await client.query(`${settings}; ${detectLostClients}`);
}
