import pg, { type ClientConfig } from 'pg';
import { Deadline } from '../common/deadline.js';
import { limitQueries } from './limit-queries.js';

/** Idle time after which the operating system starts to probe whether the server is still reachable. */
const keepAliveInitialDelayMillis = 10_000;

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/**
 * pg's client with TCP keep-alive and with a listener for its errors from the first moment. Without one, a server that
 * goes away ends this process; pg's pool and TypeORM leave a gap between them in which a new connection has none.
 *
 * `connectionTimeoutMillis` and `query_timeout` are enforced here instead of by pg, whose timers give up on a healthy
 * connection after a stall of this process.
 */
export class FaultTolerantClient extends pg.Client {
  /** Maintained by pg: whether the server has responded to everything that was sent. */
  declare readonly readyForQuery?: boolean;
  private readonly connectTimeoutMilliseconds: number;

  constructor(config: ClientConfig = {}) {
    // pg's pool hides the password from copies.
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
