import type { Logger } from 'pino';
import { errorCode, errorMessage } from './error-utils.js';

/** A request can succeed in the middle of an outage, on a connection that isn't lost yet. */
const defaultQuietMilliseconds = 1000;

/**
 * Logs when the database becomes unavailable and when it is available again, with the number of requests that failed in
 * between, instead of an error for each.
 */
export class OutageLog {
  private outage: { since: number; latest: number; requests: number } | undefined;

  /** @param quietMilliseconds time without a failure after which a success ends the outage */
  constructor(
    private readonly logger: Logger,
    private readonly quietMilliseconds = defaultQuietMilliseconds,
  ) {}

  /** Counts a request that failed because the database was unavailable. */
  fail(requestId: string, cause: unknown): void {
    const now = performance.now();
    if (this.outage === undefined) {
      const reason = errorMessage(cause).split('\n', 1)[0];
      const fields = { requestId, code: errorCode(cause), reason };
      this.logger.error(fields, 'The database is unavailable: requests fail until it is back.');
      this.outage = { since: now, latest: now, requests: 0 };
    }
    this.outage.latest = now;
    this.outage.requests += 1;
  }

  /** Notes that a request has used the database. */
  succeed(): void {
    const { outage } = this;
    if (outage === undefined) return;
    const now = performance.now();
    if (now - outage.latest < this.quietMilliseconds) return;
    this.outage = undefined;
    const seconds = Math.round((now - outage.since) / 1000);
    this.logger.warn({ failedRequests: outage.requests, seconds }, 'The database is available again.');
  }
}
