import { randomBytes } from 'node:crypto';
import type { DatabaseConnection } from '../../config/database-connection.js';
import { FaultTolerantClient } from '../fault-tolerant-client.js';
import { configureSession, StandbyError } from '../prepare-session.js';
import {
  addToHistory,
  type Beat,
  endPredecessorsOf,
  lookAtHistory,
  type RememberedRow,
  reportLostHistory,
} from './history-queries.js';

/** For connecting and for each row, which may have to wait for a standby. */
const timeoutMilliseconds = 3000;
const defaultMaxAgeSeconds = 3 * 60;

/** What names of these connections start with in all releases, so that a command can find replicas in pg_stat_activity. */
const anyHistoryName = 'keycard history ';
/** In releases whose replicas reject keys of organizations that are moving. */
const historyName = `${anyHistoryName}cells `;

/** SQL for the connections of replicas of earlier releases: each replica has one for as long as it uses the database. */
export const findEarlierReplicas = `
  select from pg_stat_activity
  where datname = current_database() and application_name like '${anyHistoryName}%'
    and application_name not like '${historyName}%'`;

/** A row, and when it was asked for, from `performance.now()`. */
export interface ConfirmedBeat extends Beat {
  readonly sentAt: number;
}

/** The connection that continues the history. Commits may wait on it for as long as no standby confirms them. */
export class HistoryConnection {
  /** Only this replica's connections have it. */
  private readonly name = `${historyName}${randomBytes(4).toString('hex')}`;
  private client: FaultTolerantClient | undefined;
  private openedAt = 0;

  /** @param maxAgeSeconds age after which a new connection follows a proxy to another server; 3 minutes by default */
  constructor(
    private readonly database: DatabaseConnection,
    private readonly maxAgeSeconds = defaultMaxAgeSeconds,
  ) {}

  /**
   * Continues the history.
   *
   * @returns undefined if PostgreSQL hasn't confirmed it
   * @throws StandbyError, or any error of pg; the next call then opens a new connection
   */
  async add(row: RememberedRow | undefined): Promise<ConfirmedBeat | undefined> {
    const warnings: unknown[] = [];
    const listen = (warning: unknown) => void warnings.push(warning);
    try {
      const client = await this.open(row);
      client.on('notice', listen);
      const sentAt = performance.now();
      const beat = await addToHistory(client, row);
      client.removeListener('notice', listen);
      // PostgreSQL warns if its wait for a standby was canceled: the row may be missing after a failover.
      return beat === undefined || warnings.length > 0 ? undefined : { ...beat, sentAt };
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Lets all replicas refuse the database, and opens a new connection next: a proxy may lead it to another server. */
  async reportLoss(): Promise<void> {
    if (this.client !== undefined) await reportLostHistory(this.client).catch(() => undefined);
    this.discard();
  }

  /** Fails whatever runs. After a polite `end()`, pg would never settle the promise of connecting. */
  discard(): void {
    this.client?.connection.stream.destroy();
    this.client = undefined;
  }

  private async open(row: RememberedRow | undefined): Promise<FaultTolerantClient> {
    if (this.client !== undefined && performance.now() - this.openedAt < this.maxAgeSeconds * 1000) return this.client;
    this.discard();
    const client = new FaultTolerantClient({
      ...this.database,
      application_name: this.name,
      connectionTimeoutMillis: timeoutMilliseconds,
      query_timeout: timeoutMilliseconds,
    });
    this.client = client;
    this.openedAt = performance.now();
    await client.connect();
    const { verdict } = await lookAtHistory(client, row);
    if (verdict === 'standby') throw new StandbyError();
    await configureSession(client, 'set statement_timeout = 0; set lock_timeout = 2000; set jit = off');
    await endPredecessorsOf(client);
    return client;
  }
}
