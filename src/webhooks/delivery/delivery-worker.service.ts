import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../../audit/audit.service.js';
import { RepeatedTask } from '../../common/repeated-task.js';
import { ServiceConfig } from '../../config/service-config.js';
import { defaultWebhookOptions, type WebhookOptions } from '../../config/webhook-options.js';
import { currentTime } from '../../database/clock.js';
import { DatabaseHistory } from '../../database/history/database-history.service.js';
import { MetricsService } from '../../metrics/metrics.service.js';
import { hostOf } from '../webhook-url.js';
import type { DisabledReason } from '../webhook.entity.js';
import { type ClaimedWebhook, DeliveryQueue } from './delivery-queue.js';
import { type RunContext, runDeliveries } from './delivery-run.js';

/** How long attempts may go on when the service stops. Then another replica makes them again. */
const stopPatienceMilliseconds = 2000;

/** A webhook that this replica delivers. */
interface Run {
  isSlow: boolean;
  readonly ended: Promise<void>;
}

/**
 * Delivers events to webhooks, outside of requests. Every replica does this; each webhook is claimed by one of them, and
 * another takes over if that stops reporting. The number of webhooks at a time is limited, and those that fail or are slow
 * have a limit of their own, so they don't delay the others.
 */
@Injectable()
export class DeliveryWorkerService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Webhooks');
  private readonly options: WebhookOptions;
  private readonly queue: DeliveryQueue;
  private readonly task: RepeatedTask;
  private readonly cutting = new AbortController();
  private readonly runs = new Set<Run>();
  private readonly attempts = { success: 0, failure: 0 };
  /** Whether the latest claim has taken all free places. */
  private mayHaveMore = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    @Inject(ServiceConfig)
    private readonly config: Pick<
      ServiceConfig,
      'database' | 'connectionMaxAgeSeconds' | 'webhookAllowedNetworks' | 'webhooks'
    >,
    history: DatabaseHistory,
    metrics: MetricsService,
  ) {
    this.options = { ...defaultWebhookOptions, ...config.webhooks };
    this.queue = new DeliveryQueue(config, history, this.options);
    this.task = new RepeatedTask({
      intervalMilliseconds: this.options.pollMilliseconds,
      run: () => this.look(),
      onFailure: (err) => this.logger.warn('Events could not be delivered to webhooks. It is retried.', { err }),
    });
    metrics.add({
      kind: 'counter',
      name: 'keycard_webhook_attempts_total',
      help: 'Attempts to deliver events to webhooks.',
      labelNames: ['outcome'],
      read: () => Object.entries(this.attempts).map(([outcome, value]) => ({ labels: { outcome }, value })),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
    const ended = Promise.all(Array.from(this.runs, (run) => run.ended));
    const patience = new AbortController();
    const cut = async () => {
      await delay(stopPatienceMilliseconds, undefined, { signal: patience.signal }).catch(() => undefined);
      this.cutting.abort();
    };
    const cutting = cut();
    await ended;
    patience.abort();
    await cutting;
    await this.queue.close();
  }

  /** Starts to deliver to webhooks that have events. */
  private async look(): Promise<void> {
    await this.queue.dispatch();
    const { maxQuick, maxSlow } = this.options;
    const slow = Array.from(this.runs).filter((run) => run.isSlow).length;
    const quick = this.runs.size - slow;
    // Those that turn out to be slow exceed their limit for one attempt, but never the sum of both.
    const free = maxQuick + maxSlow - this.runs.size;
    const claimed = await this.queue.claim(
      Math.max(0, Math.min(maxQuick - quick, free)),
      Math.max(0, Math.min(maxSlow - slow, free)),
    );
    this.mayHaveMore = claimed.length >= Math.min(maxQuick - quick, free);
    for (const webhook of claimed) this.start(webhook);
  }

  private start(webhook: ClaimedWebhook): void {
    const run: Run = { isSlow: false, ended: Promise.resolve() };
    const ended = this.deliver(webhook, run)
      .catch((error: unknown) => {
        if (this.cutting.signal.aborted) return;
        this.logger.warn('The delivery to a webhook was interrupted. It is retried.', {
          webhookId: webhook.id,
          err: error,
        });
      })
      .finally(() => {
        this.runs.delete(run);
        if (this.mayHaveMore && this.runs.size <= this.options.maxQuick / 2) this.task.wake();
      });
    Object.assign(run, { ended });
    this.runs.add(run);
  }

  private async deliver(webhook: ClaimedWebhook, run: Run): Promise<void> {
    const context: RunContext = {
      queue: this.queue,
      options: this.options,
      networks: this.config.webhookAllowedNetworks,
      signal: this.cutting.signal,
      onSlow: () => {
        run.isSlow = true;
        this.task.wake();
      },
      onAttempt: (isSuccessful) => (this.attempts[isSuccessful ? 'success' : 'failure'] += 1),
      disable: (...parameters) => this.disable(...parameters),
    };
    await runDeliveries(webhook, context);
  }

  /** Only if it is enabled, and this replica still has it. */
  private async disable({ id, organizationId, url, runId }: ClaimedWebhook, reason: DisabledReason): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [, count] = await manager.query<[rows: unknown[], count: number]>(
        `update webhooks set enabled = false, disabled_reason = $3, updated_at = ${currentTime}
         where id = $1 and run_id = $2 and enabled`,
        [id, runId, reason],
      );
      if (count === 0) return;
      await this.audit.record(
        manager,
        { kind: 'system', organizationId },
        { action: 'webhook.disable', target: { kind: 'webhook', id, name: hostOf(url) }, after: { reason } },
      );
    });
  }
}
