import pg, { type ClientConfig } from 'pg';

/** Idle time after which the operating system starts to probe whether the server is still reachable. */
const keepAliveInitialDelayMillis = 10_000;

/**
 * pg's client with TCP keep-alive and with a listener for its errors from the first moment. Without one, a server that
 * goes away ends this process; pg's pool and TypeORM leave a gap between them in which a new connection has none.
 */
export class FaultTolerantClient extends pg.Client {
  /** Maintained by pg: whether the server has responded to everything that was sent. */
  declare readonly readyForQuery?: boolean;

  constructor(config?: ClientConfig) {
    // pg's pool hides the password from copies.
    super({ keepAlive: true, keepAliveInitialDelayMillis, ...config, password: config?.password });
    this.on('error', () => undefined);
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
}
