import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BackgroundWriter } from '../../common/background-writer.js';
import { isCausedByValues } from '../../common/errors/error-utils.js';
import { runIsolated } from '../../common/run-isolated.js';
import type { Failure } from './failure.js';
import { type CountedFailure, FailureBatch } from './failure-batch.js';
import { writeFailures } from './failure-queries.js';

/** Failures in this time share two statements. */
const intervalMilliseconds = 250;

/**
 * Records failed requests in the background, so that neither responses nor a failing database wait for each other. What
 * can't be written is dropped.
 */
@Injectable()
export class FailureRecorderService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Failures');
  private readonly writer = new BackgroundWriter({
    intervalMilliseconds,
    createBatch: () => new FailureBatch(),
    write: (batch) => this.writeBatch(batch),
    onFailure: (err) => this.logger.warn('Failed requests could not be recorded.', { err }),
  });

  constructor(private readonly dataSource: DataSource) {}

  /** Queues a failure, to be written soon. */
  record(failure: Failure): void {
    this.writer.add((batch) => batch.add(failure));
  }

  /** Finishes the running write and writes what is left, unless the database takes too long. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.writer.stop();
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
