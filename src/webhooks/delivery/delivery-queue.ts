import type { ServiceConfig } from '../../config/service-config.js';
import type { WebhookOptions } from '../../config/webhook-options.js';
import { DedicatedConnection } from '../../database/dedicated-connection.js';
import type { DatabaseHistory } from '../../database/history/database-history.service.js';
import { loadStatement, type SqlStatement } from '../../database/sql-file.js';
import type { EventType } from '../../events/event-types.js';
import type { DeliveryKind, DeliveryStatus, WebhookAttemptDto } from '../dto/delivery.dto.js';

/** Something to send. */
export interface WaitingDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly kind: DeliveryKind;
  /** Number of the next attempt, from 1. */
  readonly attempt: number;
  readonly isDue: boolean;
  readonly type: EventType;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A webhook that this replica may deliver to for a while. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly runId: string;
  readonly url: string;
  /** In base64, the current one first. */
  readonly secrets: readonly string[];
  /** In order. */
  readonly deliveries: readonly WaitingDelivery[];
}

/** What a replica has done with a webhook. */
export interface RunReport {
  /** Undefined if nothing was attempted. */
  readonly recorded?: {
    readonly deliveryId: string;
    readonly attempt: WebhookAttemptDto;
    readonly status: DeliveryStatus;
    /** Until the next attempt; undefined if none follows. */
    readonly delayMilliseconds: number | undefined;
    /** Whether the attempt failed or was slow. */
    readonly isSlow: boolean;
  };
  /** Whether others may deliver to the webhook from now on. */
  readonly isLast: boolean;
}

/** A report that waits to be sent, with others in one statement. */
interface PendingReport {
  readonly report: RunReport;
  readonly webhook: ClaimedWebhook;
  readonly settle: (held: { enabled: boolean } | undefined) => void;
  readonly fail: (error: unknown) => void;
}

export const claim = loadStatement('webhooks/delivery/claim-webhooks.sql', {
  parameters: ['maxQuick', 'maxSlow', 'leaseSeconds', 'batchSize'],
});
export const report = loadStatement('webhooks/delivery/report-runs.sql', { parameters: ['leaseSeconds', 'reports'] });

const queryTimeoutMilliseconds = 10_000;
/** Events per statement. */
const dispatchSize = 500;
/** Deliveries of a webhook before others get their turn. */
const batchSize = 20;

/** The queue in the database, on a connection of its own: requests never wait for it. */
export class DeliveryQueue {
  private readonly connection: DedicatedConnection;
  /** Resolves when no statement is running. */
  private idle: Promise<unknown> = Promise.resolve();
  private readonly pending: PendingReport[] = [];

  constructor(
    config: Pick<ServiceConfig, 'database' | 'connectionMaxAgeSeconds'>,
    history: DatabaseHistory,
    private readonly options: Pick<WebhookOptions, 'leaseSeconds'>,
  ) {
    const connectionOptions = {
      applicationName: 'keycard webhooks',
      timeoutMilliseconds: queryTimeoutMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      // What is lost in a failover is delivered again.
      setup: `${history.commitSetting}; set jit = off; set lock_timeout = 3000; set statement_timeout = ${queryTimeoutMilliseconds}`,
    };
    this.connection = new DedicatedConnection(config.database, connectionOptions, history);
  }

  /** Turns events into deliveries, unless another replica does. */
  async dispatch(): Promise<void> {
    let count: number;
    do {
      [[count] = [0]] = await this.query<[number]>('dispatch-events', 'select dispatch_events($1)', [dispatchSize]);
    } while (count === dispatchSize);
  }

  /** Claims webhooks that are due. Others get them when the lease ends without a report. */
  async claim(maxQuick: number, maxSlow: number): Promise<ClaimedWebhook[]> {
    const { leaseSeconds } = this.options;
    const rows = await this.run<[ClaimedWebhook]>(claim, { maxQuick, maxSlow, leaseSeconds, batchSize });
    return rows.map(([claimed]) => claimed);
  }

  /**
   * Records an attempt, and keeps the webhook or ends the run.
   *
   * @returns undefined if the webhook was deleted, or another replica has taken over; nothing is recorded then
   */
  report(webhook: ClaimedWebhook, report: RunReport): Promise<{ enabled: boolean } | undefined> {
    return new Promise((settle, fail) => {
      this.pending.push({ webhook, report, settle, fail });
      if (this.pending.length === 1) void this.idle.then(() => this.sendReports());
    });
  }

  /** All that have come together while another statement was running. */
  private async sendReports(): Promise<void> {
    const pending = this.pending.splice(0);
    const reports = pending.map(({ webhook: { id: webhookId, runId }, report: { recorded, isLast } }) => ({
      webhookId,
      runId,
      isLast,
      ...recorded,
    }));
    try {
      const { leaseSeconds } = this.options;
      const rows = await this.run<[string, boolean]>(report, { leaseSeconds, reports: JSON.stringify(reports) });
      const held = new Map(rows.map(([id, enabled]) => [id, { enabled }]));
      for (const { webhook, settle } of pending) settle(held.get(webhook.id));
    } catch (error) {
      for (const { fail } of pending) fail(error);
    }
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private run<Row extends unknown[]>(
    statement: SqlStatement,
    values: Readonly<Record<string, unknown>>,
  ): Promise<Row[]> {
    const [file = ''] = statement.files;
    return this.query<Row>(file, statement.text, statement.bind(values));
  }

  /** One after the other: the connection has no queue. */
  private query<Row extends unknown[]>(name: string, text: string, values: unknown[]): Promise<Row[]> {
    const rows = this.idle.then(() => this.connection.query<Row>({ name, text, values, rowMode: 'array' }));
    this.idle = rows.catch(() => undefined);
    return rows;
  }
}
