import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher, DeadlineExceededError, QueueFullError } from '../common/continuous-batcher.js';
import { type AppError, unavailable } from '../common/errors/app-error.js';
import { isDatabaseUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { wasRefused, WriteRecovery } from './write-recovery.js';
import { type UsageFact, writeUsage } from './write-usage.js';

const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;

/** Accounts for requests. Facts that come in while one statement is under way go together in the next. */
@Injectable()
export class UsageRecorderService implements OnApplicationShutdown {
  private readonly connection: DedicatedConnection;
  private readonly batcher: ContinuousBatcher<UsageFact, DedicatedConnection, undefined>;
  private readonly recovery: WriteRecovery;
  private readonly pending = new Set<Promise<unknown>>();

  constructor(config: ServiceConfig) {
    this.connection = new DedicatedConnection(config.database, {
      applicationName: 'keycard usage recorder',
      timeoutMilliseconds: deadlineMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      // Without a wait for the disk: a crash of Keycard loses nothing, one of the database server half a second.
      setup: [
        'set synchronous_commit = off',
        `set statement_timeout = ${deadlineMilliseconds}`,
        // One plan for all: planning anew for each length of the arrays would take longer than the rest.
        'set plan_cache_mode = force_generic_plan',
        // It outlives the statistics it was made with: it must not become a scan of all keys.
        'set enable_seqscan = off',
        'set enable_hashjoin = off',
        'set enable_mergejoin = off',
      ].join('; '),
    });
    this.recovery = new WriteRecovery(this.connection);
    this.batcher = new ContinuousBatcher({
      lanes: [this.connection],
      maxBatchSize,
      maxQueueLength,
      deadlineMilliseconds,
      execute: async (connection, facts) => {
        await writeUsage(connection, facts);
        return facts.map(() => undefined);
      },
    });
  }

  /** Why requests that have to be accounted for are refused now: a write has failed and none has succeeded since. */
  get refusal(): AppError | undefined {
    return this.recovery.refusal;
  }

  /**
   * Accounts for one request; when this returns, it is in the database. When this throws, `refusal` is set until
   * writes succeed, and a fact that is certainly not in the database is written then, as a failure. One that may have
   * been written is not, since no request may count twice.
   *
   * @throws AppError 503 when the database does not answer in time or too many facts wait
   */
  async record(fact: UsageFact): Promise<void> {
    const written = this.batcher.submit(fact);
    this.pending.add(written);
    try {
      await written;
    } catch (error) {
      this.recovery.reportFailure(fact, error, isUnwritten(error) ? false : 'unknown');
      throw toUnavailable(error);
    } finally {
      this.pending.delete(written);
    }
  }

  /** Nobody waits for the facts of requests whose client has gone, but they are not lost either. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.pending);
    await this.recovery.stop();
    await this.connection.close();
  }
}

function isUnwritten(error: unknown): boolean {
  if (error instanceof DeadlineExceededError) return !error.wasSent;
  return error instanceof QueueFullError || wasRefused(error);
}

function toUnavailable(error: unknown): unknown {
  if (error instanceof QueueFullError) return unavailable('overloaded', 'Too many requests are waiting.', 1, error);
  if (error instanceof DeadlineExceededError || isDatabaseUnavailable(error)) {
    return unavailable('database-unavailable', 'The request cannot be accounted for now; try again shortly.', 1, error);
  }
  return error;
}
