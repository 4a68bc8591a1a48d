import pg, { type ClientConfig } from 'pg';
import { Deadline } from '../common/deadline.js';
import { limitQueries } from './limit-queries.js';

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

  constructor(config: ClientConfig = {}) {
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
