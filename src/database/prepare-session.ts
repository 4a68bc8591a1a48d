import type { ClientBase } from 'pg';

/** A server that must not be used, although it responds. Nothing was sent to it. */
export class UnusableServerError extends Error {
  override name = 'UnusableServerError';

  /** @param code an SQLSTATE that counts as unavailable */
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The server is in recovery: its data may lag behind the primary's, and it rejects writes. */
export class StandbyError extends UnusableServerError {
  override name = 'StandbyError';

  constructor() {
    // SQLSTATE read_only_sql_transaction, the error of a write on a standby.
    super('The PostgreSQL server is a standby.', '25006');
  }
}

/** Decides which servers and connections may be used. */
export interface SessionGuard {
  /**
   * Configures a new connection, like `prepareSession`.
   *
   * @throws UnusableServerError, or any error of pg
   */
  prepare(client: ClientBase, settings: string): Promise<void>;
  /** Whether the database has moved to another server since the connection was opened. */
  isOutdated(client: ClientBase): boolean;
  /** @throws UnusableServerError if no server may be used for requests now */
  assertUsable(): void;
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
  await configureSession(client, settings);
}

/** Applies settings to a connection whose server was checked. */
export async function configureSession(client: ClientBase, settings: string): Promise<void> {
  await client.query(`${settings}; ${detectLostClients}`);
}
