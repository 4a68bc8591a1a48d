import pg, { type QueryArrayConfig } from 'pg';
import type { DatabaseConnection } from '../config/database-connection.js';
import { FaultTolerantClient } from './fault-tolerant-client.js';
import { prepareSession, type SessionGuard } from './prepare-session.js';

interface DedicatedConnectionOptions {
  /** Shown in pg_stat_activity. */
  applicationName: string;
  /** For connecting and for each query. */
  timeoutMilliseconds: number;
  /** SQL to run on each new connection, such as `set enable_seqscan = off`. */
  setup: string;
  /** Age after which a new connection replaces this one; 3 minutes by default. */
  maxAgeSeconds?: number | undefined;
}

interface Opened {
  client: FaultTolerantClient;
  connected: Promise<unknown>;
  queriesInFlight: number;
  renewal: NodeJS.Timeout | undefined;
}

const pauseAfterFailureMilliseconds = 100;
const pauseAfterFailedRenewalMilliseconds = 5000;
const defaultMaxAgeSeconds = 3 * 60;

/**
 * One connection outside every pool, for the hot path: no other query can delay it. It connects to a primary on first use
 * and after it was lost. While the server is unreachable, queries fail immediately, with a new attempt at most every
 * 100 ms. It is replaced regularly to follow a proxy to another server, and immediately once the guard knows of another.
 */
export class DedicatedConnection {
  private current: Opened | undefined;
  private failure: { error: unknown; until: number } | undefined;

  constructor(
    private readonly database: DatabaseConnection,
    private readonly options: DedicatedConnectionOptions,
    private readonly guard?: SessionGuard,
  ) {}

  /**
   * Returns rows as arrays of values. Any error except an SQL error also closes the connection.
   *
   * @throws UnusableServerError, or any error of pg
   */
  async query<Row extends unknown[]>(query: QueryArrayConfig): Promise<Row[]> {
    const opened = this.findOrOpen();
    // Counted before the first await, so that a renewal doesn't close the connection in between.
    opened.queriesInFlight++;
    try {
      await this.connect(opened);
      return (await opened.client.query<Row>(query)).rows;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) this.discard(opened);
      throw error;
    } finally {
      opened.queriesInFlight--;
      if (opened !== this.current) retire(opened);
    }
  }

  /** Discards the connection; the next query opens a new one. */
  reset(): void {
    if (this.current !== undefined) this.discard(this.current);
  }

  /** Closes the connection; the next query would open it again. */
  async close(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    clearTimeout(current?.renewal);
    await current?.connected.catch(() => undefined);
    await current?.client.end().catch(() => undefined);
  }

  private findOrOpen(): Opened {
    this.guard?.assertUsable();
    if (this.current !== undefined && this.guard?.isOutdated(this.current.client) === true) {
      const outdated = this.current;
      this.current = undefined;
      clearTimeout(outdated.renewal);
      retire(outdated);
    }
    if (this.current === undefined) {
      if (this.failure && performance.now() < this.failure.until) throw this.failure.error;
      this.current = this.open();
      this.scheduleRenewal(this.current, this.maxAgeMilliseconds());
    }
    return this.current;
  }

  private async connect(opened: Opened): Promise<void> {
    try {
      await opened.connected;
    } catch (error) {
      this.failure = { error, until: performance.now() + pauseAfterFailureMilliseconds };
      this.discard(opened);
      throw error;
    }
  }

  private open(): Opened {
    const { applicationName, timeoutMilliseconds, setup } = this.options;
    const client = new FaultTolerantClient({
      ...this.database,
      application_name: applicationName,
      connectionTimeoutMillis: timeoutMilliseconds,
      query_timeout: timeoutMilliseconds,
    });
    const prepare = () =>
      this.guard === undefined ? prepareSession(client, setup) : this.guard.prepare(client, setup);
    const connected = client.connect().then(prepare);
    const opened: Opened = { client, connected, queriesInFlight: 0, renewal: undefined };
    client.on('error', () => this.discard(opened));
    // The wait for a standby was canceled: what the query committed may be missing after a failover.
    client.on('notice', ({ message }) => {
      if (message?.includes('synchronous replication') === true) this.discard(opened);
    });
    return opened;
  }

  /** Varied by a quarter, so that replicas don't reconnect at the same time. */
  private maxAgeMilliseconds(): number {
    return (this.options.maxAgeSeconds ?? defaultMaxAgeSeconds) * 1000 * (0.75 + Math.random() / 2);
  }

  private scheduleRenewal(opened: Opened, delayMilliseconds: number): void {
    opened.renewal = setTimeout(() => void this.renew(opened), delayMilliseconds).unref();
  }

  /** Opens the successor first: requests never wait for it, and keep the old connection if it fails. */
  private async renew(opened: Opened): Promise<void> {
    const successor = this.open();
    try {
      await successor.connected;
    } catch {
      successor.client.discard();
      if (opened === this.current) this.scheduleRenewal(opened, pauseAfterFailedRenewalMilliseconds);
      return;
    }
    if (opened !== this.current) {
      retire(successor);
      return;
    }
    this.current = successor;
    this.scheduleRenewal(successor, this.maxAgeMilliseconds());
    if (opened.queriesInFlight === 0) retire(opened);
  }

  /** A late error of a connection that was already replaced must not touch its successor. */
  private discard(opened: Opened): void {
    clearTimeout(opened.renewal);
    if (this.current === opened) this.current = undefined;
    opened.client.discard();
  }
}

function retire({ client, queriesInFlight }: Opened): void {
  if (queriesInFlight === 0) void client.end().catch(() => undefined);
}
