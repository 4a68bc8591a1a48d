import pg from 'pg';
import { Deadline } from '../common/deadline.js';
import type { DatabaseConnection } from '../config/database-connection.js';

/** Idle time before the operating system starts probing the server. */
const keepAliveInitialDelayMillis = 10_000;

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * pg's client with TCP keep-alive and an error listener from the start. Without a listener, a lost connection ends the
 * process, and new connections have none for a moment between pg's pool and TypeORM.
 *
 * `connectionTimeoutMillis` and `query_timeout` are enforced here, because after a stall of this process pg's timers
 * abandon healthy connections.
 */
export class FaultTolerantClient extends pg.Client {
  /** Maintained by pg: whether the server has responded to everything that was sent. */
  declare readonly readyForQuery?: boolean;
  private readonly connectTimeoutMilliseconds: number;

  constructor(config: DatabaseConnection) {
    // TypeORM's pool passes untyped options. pg would replace missing ones by `PG*` variables.
    if (!config.host || !config.user || !config.database)
      throw new TypeError('A connection needs host, user and database.');
    // pg's pool makes the password non-enumerable: the spread below would lose it.
    const { password } = config;
    super({
      keepAlive: true,
      keepAliveInitialDelayMillis,
      ...config,
      password,
      connectionTimeoutMillis: 0,
      query_timeout: 0,
    });
    this.connectTimeoutMilliseconds = config.connectionTimeoutMillis ?? 0;
    this.on('error', () => undefined);
    limitQueries(this, config.query_timeout ?? 0);
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.Client> | void {
    this.limitConnecting();
    return callback === undefined ? super.connect() : super.connect(callback);
  }

  /** Whether the next borrower would find neither a running query nor an open transaction. */
  isReusable(): boolean {
    return this.readyForQuery === true && this.getTransactionStatus() === 'I';
  }

  /** Closes the socket immediately: a silent server never responds to a polite `end()`. */
  discard(): void {
    void this.end().catch(() => undefined);
    this.connection.stream.destroy();
  }

  private limitConnecting(): void {
    if (this.connectTimeoutMilliseconds === 0) return;
    const expire = () => this.connection.stream.destroy(new Error('timeout expired'));
    const deadline = new Deadline(this.connectTimeoutMilliseconds, expire);
    this.connection.once('readyForQuery', () => deadline.clear());
    this.connection.once('end', () => deadline.clear());
  }
}

type Callback = (error: unknown, result?: unknown) => void;

/**
 * Limits the duration of the client's queries, with promises or callbacks. PostgreSQL keeps running the query, so the
 * connection must not be reused. A query's own `query_timeout` is left to pg.
 *
 * @param milliseconds 0 for no limit
 */
function limitQueries(client: pg.Client, milliseconds: number): void {
  if (milliseconds === 0) return;
  const original = client.query.bind(client);
  const send = (parameters: unknown[]): unknown => Reflect.apply(original, client, parameters);

  const query = (...parameters: unknown[]): unknown => {
    if (hasOwnLimit(parameters[0])) return send(parameters);
    const callback = parameters.at(-1);
    if (!isCallback(callback)) return limitPromise(send(parameters), milliseconds);
    const deadline = new Deadline(milliseconds, () => callback(timeoutError()));
    parameters[parameters.length - 1] = (error: unknown, result: unknown) => {
      if (deadline.clear()) callback(error, result);
    };
    return send(parameters);
  };
  Object.assign(client, { query });
}

function limitPromise(sent: unknown, milliseconds: number): unknown {
  if (!(sent instanceof Promise)) return sent;
  return new Promise((resolve, reject) => {
    const deadline = new Deadline(milliseconds, () => reject(timeoutError()));
    const settle = (proceed: () => void) => {
      deadline.clear();
      proceed();
    };
    sent.then(
      (result: unknown) => settle(() => resolve(result)),
      (error: Error) => settle(() => reject(error)),
    );
  });
}

function hasOwnLimit(config: unknown): boolean {
  return typeof config === 'object' && config !== null && 'query_timeout' in config;
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function';
}

/** The message that pg's own limit uses. */
function timeoutError(): Error {
  return new Error('Query read timeout');
}
