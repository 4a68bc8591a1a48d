import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Failure } from './failure.js';
import { FailureBatch } from './failure-batch.js';
import { deleteOldFailuresBatch, writeFailures } from './failure-queries.js';

/** Failures in this time share two statements. */
const flushMilliseconds = 250;
const cleanUpMilliseconds = 10 * 60_000;
const shutdownMilliseconds = 1000;

/**
 * Records failed requests in the background, so that neither responses nor a failing database wait for each other. What
 * can't be written is dropped.
 */
@Injectable()
export class FailureRecorderService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Failures');
  private batch = new FailureBatch();
  private flushTimer: NodeJS.Timeout | undefined;
  private cleanUpTimer: NodeJS.Timeout | undefined;
  /** Resolves when no statement runs. */
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;

  constructor(private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    this.cleanUpTimer = setInterval(() => void this.cleanUp(), cleanUpMilliseconds).unref();
  }

  /** Takes note of a failure, which is written soon. */
  record(failure: Failure): void {
    this.batch.add(failure);
    this.flushTimer ??= setTimeout(() => this.flush(), flushMilliseconds).unref();
  }

  /** Deletes failures that are too old, in small batches. */
  async cleanUp(): Promise<void> {
    try {
      while (await deleteOldFailuresBatch(this.dataSource)) await delay(100, undefined, { ref: false });
    } catch (error) {
      this.logger.warn('Old failed requests could not be deleted.', { err: error });
    }
  }

  /** Writes what is left, unless the database takes too long. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.cleanUpTimer);
    if (this.flushTimer === undefined) return;
    clearTimeout(this.flushTimer);
    this.flush();
    await Promise.race([this.writing, delay(shutdownMilliseconds, undefined, { ref: false })]);
  }

  private flush(): void {
    this.writing = this.write();
  }

  /** Failures that arrive during a write go into the next batch. */
  private async write(): Promise<void> {
    const { batch } = this;
    this.batch = new FailureBatch();
    try {
      await writeFailures(this.dataSource, batch);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.logger.warn('Failed requests could not be recorded.', { err: error });
      this.hasFailed = true;
    }
    this.flushTimer = this.batch.isEmpty ? undefined : setTimeout(() => this.flush(), flushMilliseconds).unref();
  }
}
