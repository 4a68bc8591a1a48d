import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { isCausedByValues } from '../../common/errors/error-utils.js';
import { runIsolated } from '../../common/run-isolated.js';
import type { Failure } from './failure.js';
import { type CountedFailure, FailureBatch } from './failure-batch.js';
import { writeFailures } from './failure-queries.js';

/** Failures in this time share two statements. */
const flushMilliseconds = 250;
const shutdownMilliseconds = 1000;

/**
 * Records failed requests in the background, so that neither responses nor a failing database wait for each other. What
 * can't be written is dropped.
 */
@Injectable()
export class FailureRecorderService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Failures');
  private batch = new FailureBatch();
  private flushTimer: NodeJS.Timeout | undefined;
  /** Resolves when no statement runs. */
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;

  constructor(private readonly dataSource: DataSource) {}

  /** Queues a failure, to be written soon. */
  record(failure: Failure): void {
    this.batch.add(failure);
    this.flushTimer ??= setTimeout(() => this.flush(), flushMilliseconds).unref();
  }

  /** Finishes the running write and writes what is left, unless the database takes too long. */
  async beforeApplicationShutdown(): Promise<void> {
    this.flush();
    await Promise.race([this.writing, delay(shutdownMilliseconds, undefined, { ref: false })]);
  }

  /** Writes after the running write, if there is one. */
  private flush(): void {
    this.writing = this.writing.then(() => this.write());
  }

  /** Failures that arrive during a write go into the next batch. */
  private async write(): Promise<void> {
    clearTimeout(this.flushTimer);
    const { batch } = this;
    this.batch = new FailureBatch();
    try {
      if (!batch.isEmpty) await this.writeBatch(batch);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn('Failed requests could not be recorded.', { err: error });
      this.hasFailed = true;
    }
    this.flushTimer = this.batch.isEmpty ? undefined : setTimeout(() => this.flush(), flushMilliseconds).unref();
  }

  /** Failures that PostgreSQL rejects for their values affect no others. */
  private async writeBatch(batch: FailureBatch): Promise<void> {
    const causes: unknown[] = [];
    try {
      await writeFailures(this.dataSource, batch);
    } catch (error) {
      if (!isCausedByValues(error)) throw error;
      const write = (failures: readonly CountedFailure[]) => writeFailures(this.dataSource, FailureBatch.of(failures));
      await runIsolated(batch.split(), write, (_failures, cause) => causes.push(cause));
    }
    if (causes.length > 0) throw causes[0];
  }
}
