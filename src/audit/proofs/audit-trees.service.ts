import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { unavailable } from '../../common/errors/app-error.js';
import { RepeatedTask } from '../../common/repeated-task.js';
import { ServiceConfig } from '../../config/service-config.js';
import { appendEvents, batchSize } from './append-events.js';
import { toAuditKeys } from './audit-key.js';
import { createCheckpoint, findUnsignedTrees } from './create-checkpoint.js';

const intervalMilliseconds = 1000;
const checkpointIntervalMilliseconds = 60_000;
const checkpointAge = '1 hour';
const checkpointsPerRead = 100;
/** How long a request waits until its events are in the tree. */
const patienceMilliseconds = 3000;
const pollMilliseconds = 50;

/**
 * Appends audit events to the trees about every second, and signs trees that have grown every hour. Every replica does
 * this; a lock lets one of them append at a time. Writing an event only leaves a row for this task, so that it waits for
 * no one.
 */
@Injectable()
export class AuditTreesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly task = new RepeatedTask({
    intervalMilliseconds,
    run: () => this.appendAndSign(),
    onFailure: (err) =>
      this.logger.warn('Audit events could not be added to their trees. This is retried every second.', { err }),
  });
  private readonly key;
  private signedAt = -Infinity;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(ServiceConfig) config: Pick<ServiceConfig, 'auditSigningKeys'>,
  ) {
    [this.key] = toAuditKeys(config.auditSigningKeys);
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /**
   * Appends all events that are committed when it's called.
   *
   * @throws AppError 503 if there are too many, as after an upgrade
   */
  async catchUp(): Promise<void> {
    const deadline = performance.now() + patienceMilliseconds;
    while (await this.hasPending()) {
      const count = await this.dataSource.transaction((manager) => appendEvents(manager, this.key));
      if (count !== undefined && count < batchSize) return;
      if (performance.now() > deadline) {
        throw unavailable('database-unavailable', 'Earlier audit events are still being hashed. Try again shortly.', 5);
      }
      // Another replica is appending.
      if (count === undefined) await delay(pollMilliseconds);
    }
  }

  /** Signs each tree that has grown and whose newest checkpoint is an hour old. */
  async signGrownTrees(): Promise<void> {
    const { key, task } = this;
    if (key === undefined) return;
    for (;;) {
      const trees = await findUnsignedTrees(this.dataSource, checkpointAge, checkpointsPerRead);
      for (const id of trees) {
        if (task.signal.aborted) return;
        await this.dataSource.transaction((manager) => createCheckpoint(manager, key, id));
      }
      if (trees.length < checkpointsPerRead) return;
    }
  }

  private async appendAndSign(): Promise<void> {
    await this.appendAll();
    if (performance.now() < this.signedAt + checkpointIntervalMilliseconds) return;
    await this.signGrownTrees();
    this.signedAt = performance.now();
  }

  private async appendAll(): Promise<void> {
    const { signal } = this.task;
    while (!signal.aborted && (await this.hasPending())) {
      const start = performance.now();
      const count = await this.dataSource.transaction((manager) => appendEvents(manager, this.key));
      if (count === undefined || count < batchSize) return;
      // Leaves half of the time to others when there are many, as after an upgrade.
      await delay(performance.now() - start, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Without a transaction, because there is nearly always nothing to do. */
  private async hasPending(): Promise<boolean> {
    const found = await this.dataSource.query<object[]>(
      `select from audit_pending union all select from audit_state where backfilled_to is not null limit 1`,
    );
    return found.length > 0;
  }
}
