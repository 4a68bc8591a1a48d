import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { ClientBase } from 'pg';
import { RepeatedTask } from '../common/repeated-task.js';
import { ServiceConfig } from '../config/service-config.js';
import { FaultTolerantClient } from '../database/fault-tolerant-client.js';
import { DatabaseHistory } from '../database/history/database-history.service.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { retentionSteps } from './retention-steps.js';

const firstRunMilliseconds = 60_000;
const intervalMilliseconds = 10 * 60_000;
/** How long the task pauses after a batch, in multiples of the time it took: requests get the database 90% of the time. */
const pausePerWork = 9;
const queryTimeoutMilliseconds = 120_000;
/** Key of the advisory lock of the replica that runs the task. */
const retentionLock = 7_402_118_355;

/**
 * The result of a run cannot lose anything, so it doesn't wait for the disk or a standby. A trigger reads
 * `keeps_usage_cohorts`, which earlier releases don't set.
 */
const settings = `
  set keycard.keeps_usage_cohorts = on;
  set synchronous_commit = off;
  set lock_timeout = '3s';
  set statement_timeout = '60s';
  set idle_in_transaction_session_timeout = '10s';
  set jit = off`;

/** Ends a run: the service stops, or another replica works. */
class RunEnded extends Error {}

/**
 * Packs past usage, and deletes what is older than it has to be kept. Runs on one replica at a time, on a connection of
 * its own. A step that fails is tried again in the next run.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Retention');
  private readonly task = new RepeatedTask({
    delayMilliseconds: firstRunMilliseconds,
    intervalMilliseconds,
    run: () => this.runSteps(),
    onFailure: (err) => this.logger.warn('The retention task failed; it is retried in 10 minutes.', { err }),
    reportsEach: true,
  });
  private readonly processed = new Map<string, number>();
  private client: FaultTolerantClient | undefined;

  constructor(
    @Inject(ServiceConfig)
    private readonly config: Pick<
      ServiceConfig,
      'database' | 'usageRetentionDays' | 'auditRetentionDays' | 'auditSigningKeys'
    >,
    metrics: MetricsService,
    private readonly history: DatabaseHistory,
  ) {
    metrics.add({
      kind: 'counter',
      name: 'keycard_retention_rows_total',
      help: 'Rows that this replica has packed or deleted.',
      labelNames: ['step'],
      read: () => Array.from(this.processed, ([step, value]) => ({ labels: { step }, value })),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  /** Ends the current run. PostgreSQL rolls an unfinished batch back. */
  async beforeApplicationShutdown(): Promise<void> {
    const stopped = this.task.stop();
    this.client?.discard();
    await stopped;
  }

  /** Runs all steps, or as many as possible until the service stops. Failures are logged. */
  run(): Promise<void> {
    return this.task.run();
  }

  private async runSteps(): Promise<void> {
    const client = new FaultTolerantClient({
      ...this.config.database,
      application_name: 'keycard retention',
      connectionTimeoutMillis: 10_000,
      query_timeout: queryTimeoutMilliseconds,
    });
    this.client = client;
    const counts: Record<string, number> = {};
    try {
      await client.connect();
      await this.history.prepare(client, settings);
      for (const { name, run } of retentionSteps(this.config)) {
        const count = (rows: number) => {
          if (rows > 0) counts[name] = (counts[name] ?? 0) + rows;
          this.processed.set(name, (this.processed.get(name) ?? 0) + rows);
        };
        await this.attempt(name, () => run((work) => this.runBatch(client, work, count)));
      }
    } catch (error) {
      if (!(error instanceof RunEnded)) throw error;
    } finally {
      this.client = undefined;
      client.discard();
      if (Object.keys(counts).length > 0) this.logger.log('Packed or deleted old data.', { rows: counts });
    }
  }

  /** A failure of one step must not keep the others from running. */
  private async attempt(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (error instanceof RunEnded || this.task.signal.aborted) throw new RunEnded();
      this.logger.warn(`Retention step ${name} failed; it is retried in 10 minutes.`, { err: error });
    }
  }

  /** @throws RunEnded if the service stops or another replica holds the lock */
  private async runBatch(
    client: FaultTolerantClient,
    work: (client: ClientBase) => Promise<number>,
    count: (rows: number) => void,
  ): Promise<number> {
    const { signal } = this.task;
    if (signal.aborted) throw new RunEnded();
    const start = performance.now();
    await client.query('begin');
    try {
      const { rows } = await client.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [
        retentionLock,
      ]);
      if (rows[0]?.isMine !== true) throw new RunEnded();
      const processed = await work(client);
      await client.query('commit');
      count(processed);
      if (processed > 0) {
        const pauseMilliseconds = pausePerWork * (performance.now() - start);
        await delay(pauseMilliseconds, undefined, { ref: false, signal }).catch(() => undefined);
      }
      return processed;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }
}
