import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BackgroundWriter } from '../../common/background-writer.js';
import type { LoggedRequest, RequestOutcome } from './logged-request.js';
import { RequestBatch } from './request-batch.js';
import { writeRequests } from './request-queries.js';
import { RequestSampler } from './request-sampler.js';

/** Requests of all keys in this time share a statement. Each write of a key rewrites its last chunk. */
const intervalMilliseconds = 2000;

/**
 * Logs the latest requests of each key. A request only adds a line to a batch, if it's part of the sample. Batches are written
 * in the background, so that neither responses nor a failing database wait for each other.
 */
@Injectable()
export class RequestLogService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Requests');
  private readonly sampler = new RequestSampler();
  private readonly writer = new BackgroundWriter({
    intervalMilliseconds,
    createBatch: () => new RequestBatch(),
    write: (batch) => writeRequests(this.dataSource, batch),
    onFailure: (err) => this.logger.warn('The latest requests of keys could not be recorded.', { err }),
  });

  constructor(private readonly dataSource: DataSource) {}

  /** Queues a request of a key, unless the sample leaves it out. */
  log(apiKeyId: string, outcome: RequestOutcome, describe: () => Omit<LoggedRequest, 'outcome'>): void {
    if (!this.sampler.takes(apiKeyId, outcome)) return;
    const request = { ...describe(), outcome };
    this.writer.add((batch) => batch.add(apiKeyId, request));
  }

  /** Finishes the running write and writes what is left, unless the database takes too long. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.writer.stop();
  }
}
