import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/config/database-connection.js';

const sampleMilliseconds = 20;

/** What a load did to the database besides using its processors. */
export interface DatabaseWork {
  walBytes: number;
  /** Time that sessions waited for locks of other sessions, added up. */
  lockSeconds: number;
}

/** Measures write-ahead log and waits for locks. */
export class DatabaseMeter {
  private constructor(private readonly client: pg.Client) {}

  static async connect(connection: DatabaseConnection): Promise<DatabaseMeter> {
    const client = new pg.Client(connection);
    await client.connect();
    return new DatabaseMeter(client);
  }

  async measure<Result>(load: () => Promise<Result>): Promise<{ result: Result; work: DatabaseWork }> {
    const start = await this.readWal();
    let lockSeconds = 0;
    let previous = performance.now();
    let isLoading = true;
    const sample = async () => {
      while (isLoading) {
        await delay(sampleMilliseconds);
        const waiting = await this.countWaiting();
        const now = performance.now();
        lockSeconds += (waiting * (now - previous)) / 1000;
        previous = now;
      }
    };
    const sampling = sample();
    const result = await load().finally(() => (isLoading = false));
    await sampling;
    return { result, work: { walBytes: (await this.readWal()) - start, lockSeconds } };
  }

  close(): Promise<void> {
    return this.client.end();
  }

  private async readWal(): Promise<number> {
    const { rows } = await this.client.query<{ bytes: number }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes`,
    );
    return rows[0]?.bytes ?? NaN;
  }

  private async countWaiting(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock'`,
    );
    return rows[0]?.count ?? 0;
  }
}
