import pg, { type ClientConfig, type QueryArrayConfig } from 'pg';
import { FaultTolerantClient } from './fault-tolerant-client.js';

interface DedicatedConnectionOptions {
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** Bounds connecting and each query. */
  timeoutMilliseconds: number;
  /** Run on each new connection, such as `set enable_seqscan = off`. */
  setup: string;
}

const pauseAfterFailureMilliseconds = 100;

/**
 * One connection outside every pool, for the hot path: no other query can hold it up. It connects when it is first
 * used and again when it was lost; while the server is away each use fails at once, and a new attempt is made every
 * 100 ms at most.
 */
export class DedicatedConnection {
  private current: { client: pg.Client; connected: Promise<unknown> } | undefined;
  private failure: { error: unknown; until: number } | undefined;

  constructor(
    private readonly database: ClientConfig,
    private readonly options: DedicatedConnectionOptions,
  ) {}

  /**
   * Rows as arrays of values. Any error but one of SQL also gives the connection up.
   *
   * @throws whatever pg throws
   */
  async query<Row extends unknown[]>(query: QueryArrayConfig): Promise<Row[]> {
    const client = await this.connect();
    try {
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.discard(client);
      throw error;
    }
  }

  /** Ends the connection; another use would open it again. */
  async close(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    await current?.connected.catch(() => undefined);
    await current?.client.end().catch(() => undefined);
  }

  private async connect(): Promise<pg.Client> {
    if (this.current === undefined) {
      if (this.failure && performance.now() < this.failure.until) throw this.failure.error;
      const client = this.createClient();
      this.current = { client, connected: client.connect().then(() => client.query(this.options.setup)) };
    }
    const { client, connected } = this.current;
    try {
      await connected;
      return client;
    } catch (error) {
      this.failure = { error, until: performance.now() + pauseAfterFailureMilliseconds };
      this.discard(client);
      throw error;
    }
  }

  private createClient(): pg.Client {
    const client = new FaultTolerantClient({
      ...this.database,
      application_name: this.options.applicationName,
      connectionTimeoutMillis: this.options.timeoutMilliseconds,
      query_timeout: this.options.timeoutMilliseconds,
      keepAlive: true,
    });
    client.on('error', () => this.discard(client));
    return client;
  }

  /** A late error of a connection that was already replaced must not touch its successor. */
  private discard(client: pg.Client): void {
    if (this.current?.client === client) this.current = undefined;
    // A hanging server never answers a polite end(); the socket is closed under it.
    void client.end().catch(() => undefined);
    client.connection.stream.destroy();
  }
}
