import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher, DeadlineExceededError, QueueFullError } from '../common/continuous-batcher.js';
import type { AppError } from '../common/errors/app-error.js';
import { isCausedByValues } from '../common/errors/error-utils.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { type MeterAmounts, meters } from '../common/rules/meters.js';
import { ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { DatabaseHistory } from '../database/history/database-history.service.js';
import { wasRejected } from '../database/was-rejected.js';
import { boundFact } from './bound-fact.js';
import { ModelPrices } from './cost/model-prices.js';
import { WriteRecovery } from './write-recovery.js';
import { type UsageFact, usageWriterSettings, writeUsage } from './write-usage.js';

const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;
const noteUseMilliseconds = 1000;

/** What the requests to a model have used. */
export interface UsageTotals extends MeterAmounts {
  success: number;
  failure: number;
  limited: number;
  /** In billionths; undefined without a price. */
  cost?: bigint;
}

/** Records the usage of requests. Facts that arrive while a statement runs share the next one. */
@Injectable()
export class UsageRecorderService implements OnApplicationShutdown {
  private readonly connection: DedicatedConnection;
  private readonly batcher: ContinuousBatcher<UsageFact, DedicatedConnection, undefined>;
  private readonly recovery: WriteRecovery;
  private readonly prices: ModelPrices;
  /** Ids of the keys whose use was noted in this second, separately for previous secrets. */
  private readonly notedUses = new Set<string>();
  /** By model or service, since the start. */
  readonly totals = new Map<string, UsageTotals>();

  constructor(config: ServiceConfig, history: DatabaseHistory) {
    const options = {
      applicationName: 'keycard usage recorder',
      timeoutMilliseconds: deadlineMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      setup: `${usageWriterSettings}; ${history.commitSetting}; set statement_timeout = ${deadlineMilliseconds}`,
    };
    this.connection = new DedicatedConnection(config.database, options, history);
    this.recovery = new WriteRecovery(this.connection);
    this.prices = new ModelPrices(config.models);
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

  get batches(): Pick<ContinuousBatcher<unknown, unknown, unknown>, 'batchCount' | 'itemCount' | 'waitingCount'> {
    return this.batcher;
  }

  /** The error to reject metered requests with, after a failed write and until the next successful one. */
  get refusal(): AppError | undefined {
    return this.recovery.refusal;
  }

  /**
   * Records one request with its cost at the current prices; it is in the database when this returns. When this throws,
   * `refusal` is set until writes succeed. A fact that definitely wasn't written is then written as a failed request; one that may have been written
   * isn't, because no request may count twice. One that PostgreSQL rejects for its values affects no other.
   *
   * @throws AppError 503 if the database doesn't respond in time or too many facts are waiting
   */
  async record(reported: UsageFact): Promise<void> {
    const fact = this.addCost(boundFact(reported));
    this.count(fact);
    try {
      await this.batcher.submit(fact);
    } catch (error) {
      if (isCausedByValues(error)) throw error;
      this.recovery.reportFailure(fact, error, isUnwritten(error) ? false : 'unknown');
      throw toUnavailable(error, "The database is unavailable: usage can't be recorded. Try again shortly.");
    }
  }

  /** Updates when a key and its previous secret were last used, soon and at most once a second. Failures are ignored. */
  noteUse(use: Pick<UsageFact, 'apiKeyId' | 'organizationId' | 'address' | 'usesPreviousSecret'>): void {
    const secret = use.usesPreviousSecret === true ? `${use.apiKeyId} previous` : use.apiKeyId;
    if (this.notedUses.has(secret)) return;
    if (this.notedUses.size === 0) setTimeout(() => this.notedUses.clear(), noteUseMilliseconds).unref();
    this.notedUses.add(secret);
    const fact = { ...use, model: '', outcome: 'unrecorded', milliseconds: 0 } as const;
    this.batcher.submit(fact).catch(() => undefined);
  }

  private addCost(fact: UsageFact): UsageFact {
    const cost = fact.cost ?? this.prices.costOf(fact);
    return cost === undefined ? fact : { ...fact, cost };
  }

  private count(fact: UsageFact): void {
    const { model, outcome } = fact;
    if (outcome === 'unrecorded') return;
    const totals = this.totals.get(model) ?? { success: 0, failure: 0, limited: 0 };
    this.totals.set(model, totals);
    totals[outcome] += 1;
    if (outcome === 'limited') return;
    for (const { name } of meters) {
      const amount = fact[name];
      if (amount) totals[name] = (totals[name] ?? 0) + amount;
    }
    if (fact.cost !== undefined) totals.cost = (totals.cost ?? 0n) + fact.cost;
  }

  /** Also waits for facts of requests whose client disconnected. */
  async onApplicationShutdown(): Promise<void> {
    await this.batcher.drain();
    await this.recovery.stop();
    await this.connection.close();
  }
}

function isUnwritten(error: unknown): boolean {
  if (error instanceof DeadlineExceededError) return !error.wasSent;
  return error instanceof QueueFullError || wasRejected(error);
}
