import pg, { type ClientConfig, type QueryArrayConfig } from 'pg';

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
  private client: Promise<pg.Client> | undefined;
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
    const { client } = this;
    this.client = undefined;
    await (await client?.catch(() => undefined))?.end();
  }

  private connect(): Promise<pg.Client> {
    if (this.client) return this.client;
    if (this.failure && performance.now() < this.failure.until) throw this.failure.error;
    this.client = this.open();
    this.client.catch((error: unknown) => {
      this.client = undefined;
      this.failure = { error, until: performance.now() + pauseAfterFailureMilliseconds };
    });
    return this.client;
  }

  private async open(): Promise<pg.Client> {
    const client = new pg.Client({
      ...this.database,
      application_name: this.options.applicationName,
      connectionTimeoutMillis: this.options.timeoutMilliseconds,
      query_timeout: this.options.timeoutMilliseconds,
      keepAlive: true,
    });
    // Without a listener, a restart of the database would end this process.
    client.on('error', () => this.discard(client));
    await client.connect();
    await client.query(this.options.setup);
    return client;
  }

  private discard(client: pg.Client): void {
    this.client = undefined;
    // A hanging server never answers a polite end(); the socket is closed under it.
    void client.end().catch(() => undefined);
    client.connection.stream.destroy();
  }
}
