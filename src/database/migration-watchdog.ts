import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type EntitySubscriberInterface, EventSubscriber, type TransactionStartEvent } from 'typeorm';

/** Marks the migration's session in pg_stat_activity during a transaction. */
const applicationName = 'keycard migration';

const pollMilliseconds = 100;

/** The setting ends with the transaction; migrations with `transaction = false` don't set it. */
@EventSubscriber()
export class MarkMigrationTransaction implements EntitySubscriberInterface {
  async afterTransactionStart({ queryRunner }: TransactionStartEvent): Promise<void> {
    await queryRunner.query(`set local application_name = '${applicationName}'`);
  }
}

/**
 * Interrupts a migration's transaction if another session has waited too long for its locks. A running statement is
 * canceled; a transaction between two statements can only be ended with its session.
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
 * Limits how long a migration can block others with locks it already holds; `lock_timeout` only limits its own waiting.
 * PostgreSQL's `transaction_timeout` requires version 17, and would also end migrations that block no one.
 */
export class MigrationWatchdog {
  private readonly stopping = new AbortController();
  private readonly watching: Promise<void>;
  private poll: Promise<void> = Promise.resolve();
  private hasInterrupted = false;

  /**
   * @param client used exclusively until `stop`
   * @param maxBlockMilliseconds how long another session may wait for the migration
   */
  constructor(
    private readonly client: pg.Client,
    private readonly maxBlockMilliseconds: number,
  ) {
    this.watching = this.watch();
  }

  /** Whether a transaction was interrupted since the last call. */
  async takeInterruption(): Promise<boolean> {
    // The migration may see its interruption before this class does.
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
      const { rowCount } = await this.client.query(interrupt, [this.maxBlockMilliseconds]);
      if (rowCount !== 0) this.hasInterrupted = true;
    } catch {
      // The server is unreachable: no migration is left to interrupt, and the migration reports the error.
    }
  }
}
