import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { errorMessage } from '../../common/errors/error-utils.js';
import { readBatch } from './read-batch.js';
import { type Sink, type SinkBatch, SinkError } from './sink.js';
import { SinkCursor } from './sink-cursor.js';

export interface DeliveryTimes {
  /** Between two looks for new events. */
  pollMilliseconds: number;
  /** Between two attempts to take over from another replica. */
  takeoverMilliseconds: number;
  /** How long the receiver may take to acknowledge a batch. */
  attemptMilliseconds: number;
  /** After the first failure; doubled after each further one, up to the second. */
  pauseMilliseconds: number;
  maxPauseMilliseconds: number;
}

export const defaultDeliveryTimes: DeliveryTimes = {
  pollMilliseconds: 1000,
  takeoverMilliseconds: 5000,
  attemptMilliseconds: 15_000,
  pauseMilliseconds: 1000,
  maxPauseMilliseconds: 20_000,
};

/** Delivers all events to one sink, in order and at least once, independently of other sinks. */
export class SinkDelivery {
  /** Events that the sink has acknowledged to this replica. */
  delivered = 0;
  /** Attempts that failed. */
  failures = 0;
  private readonly cursor: SinkCursor;
  /** The batch that the sink hasn't acknowledged, so that it's repeated as it was. */
  private batch: SinkBatch | undefined;
  private oldest: Date | undefined;
  private failuresInRow = 0;

  constructor(
    private readonly name: string,
    private readonly openSink: () => Promise<Sink>,
    private readonly dataSource: DataSource,
    private readonly logger: Pick<Logger, 'warn' | 'log'>,
    private readonly times: DeliveryTimes = defaultDeliveryTimes,
  ) {
    this.cursor = new SinkCursor(dataSource, name);
  }

  /** Age of the oldest event that wasn't acknowledged; undefined if another replica delivers. */
  get lagSeconds(): number | undefined {
    if (!this.cursor.isHeld) return undefined;
    return this.oldest === undefined ? 0 : Math.max(0, (Date.now() - this.oldest.getTime()) / 1000);
  }

  /** Delivers until the signal aborts. Failures are retried. */
  async run(signal: AbortSignal): Promise<void> {
    let sink: Sink | undefined;
    while (!signal.aborted) {
      let pause = 0;
      try {
        sink ??= await this.openSink();
        pause = await this.deliverNext(sink, signal);
      } catch (error) {
        if (!signal.aborted) pause = this.noteFailure(error);
      }
      if (pause > 0) await delay(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
    await this.cursor.release().catch(() => undefined);
  }

  /** Returns how long to wait before the next batch. */
  private async deliverNext(sink: Sink, signal: AbortSignal): Promise<number> {
    const position = await this.cursor.take();
    if (position === undefined) {
      this.batch = this.oldest = undefined;
      return this.times.takeoverMilliseconds;
    }
    if (this.batch?.first !== undefined && this.batch.first <= position) this.batch = undefined;
    const batch = this.batch ?? (await this.collect(sink, position, signal));
    if (batch === undefined) return this.times.pollMilliseconds;
    this.batch = batch;
    if (batch.events.length > 0) await this.attempt(sink, batch, signal);
    await this.cursor.advance(batch.last);
    this.batch = undefined;
    this.delivered += batch.events.length;
    this.noteSuccess();
    return 0;
  }

  /** Reads a batch, and lets it grow for as long as the sink wants. */
  private async collect(sink: Sink, position: number, signal: AbortSignal): Promise<SinkBatch | undefined> {
    const deadline = performance.now() + sink.waitMilliseconds;
    for (;;) {
      const batch = await readBatch(this.dataSource, position, sink.maxEvents);
      this.oldest = batch?.events[0]?.occurredAt;
      if (batch === undefined || batch.events.length >= sink.maxEvents || performance.now() >= deadline) return batch;
      // Not as often as for sinks that don't wait, because it reads all of the batch.
      await delay(Math.min(this.times.takeoverMilliseconds, sink.waitMilliseconds), undefined, { ref: false, signal });
      if ((await this.cursor.take()) !== position) return undefined;
    }
  }

  /** Ends with the time limit even if the sink ignores the signal. */
  private async attempt(sink: Sink, batch: SinkBatch, stopping: AbortSignal): Promise<void> {
    const limit = AbortSignal.timeout(this.times.attemptMilliseconds);
    const signal = AbortSignal.any([limit, stopping]);
    let stop: (() => void) | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      stop = () => reject(new SinkError('The receiver did not respond in time.'));
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      await Promise.race([sink.deliver(batch, signal), timeout]);
    } finally {
      if (stop !== undefined) signal.removeEventListener('abort', stop);
    }
  }

  /** Of failures in a row, the first is logged. Returns how long to wait. */
  private noteFailure(error: unknown): number {
    const { pauseMilliseconds, maxPauseMilliseconds } = this.times;
    this.failures++;
    if (this.failuresInRow++ === 0) {
      const reason = errorMessage(error);
      this.logger.warn('An audit sink failed. Its events are retried until it works.', { sink: this.name, reason });
    }
    const wanted = error instanceof SinkError ? error.retryAfterSeconds : undefined;
    if (wanted !== undefined) return wanted * 1000;
    return Math.min(maxPauseMilliseconds, pauseMilliseconds * 2 ** Math.min(10, this.failuresInRow - 1));
  }

  private noteSuccess(): void {
    this.oldest = undefined;
    if (this.failuresInRow > 0) this.logger.log('An audit sink works again.', { sink: this.name });
    this.failuresInRow = 0;
  }
}
