import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type EntitySubscriberInterface, EventSubscriber, type TransactionStartEvent } from 'typeorm';

/** Marks, in pg_stat_activity, the migration's session while it is in a transaction. */
const applicationName = 'keycard migration';

const pollMilliseconds = 100;

/** PostgreSQL undoes the setting at the end of the transaction; migrations with `transaction = false` don't set it. */
@EventSubscriber()
export class MarkMigrationTransaction implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    await queryRunner.query(`set local application_name = '${applicationName}'`);
  }
}

/**
 * Interrupts a migration's transaction if another session has waited too long for its locks. A statement that is
 * running is cancelled; a transaction between two statements can only be ended with its session.
 */
const interrupt = `
  select case state when 'active' then pg_cancel_backend(pid) else pg_terminate_backend(pid) end
  from pg_stat_activity as migration
  where application_name = '${applicationName}' and datname = current_database() and exists (
    select from pg_locks as waiting
    where not granted and waitstart < clock_timestamp() - $1 * interval '1 millisecond'
      and migration.pid = any(pg_blocking_pids(waiting.pid))
  )`;

/**
 * Bounds how long a migration can hold up others with locks it already has; `lock_timeout` only bounds its own waiting.
 * PostgreSQL's `transaction_timeout` exists since version 17 only, and would also end migrations that block no one.
 */
export class MigrationWatchdog {
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;
  private poll: Promise<void> = Promise.resolve();
  private hasInterrupted = false;

  /**
   * @param client used exclusively until `stop`
   * @param longestBlockMilliseconds how long another session may wait for the migration
   */
  constructor(
    private readonly client: pg.Client,
    private readonly longestBlockMilliseconds: number,
  ) {
    this.watching = this.watch();
  }

  /** Whether a transaction was interrupted since the last call. */
  async takeInterruption(): Promise<boolean> {
    // The migration may learn of its interruption first.
    await this.poll;
    const { hasInterrupted } = this;
    this.hasInterrupted = false;
    return hasInterrupted;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching;
  }

  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await (this.poll = this.interruptBlocker());
      await delay(pollMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  }

  private async interruptBlocker(): Promise<void> {
    try {
      const { rowCount } = await this.client.query(interrupt, [this.longestBlockMilliseconds]);
      if (rowCount !== 0) this.hasInterrupted = true;
    } catch {
      // The server is away: there is no migration left to interrupt, and it reports the error itself.
    }
  }
}
