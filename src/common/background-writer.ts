import { setTimeout as delay } from 'node:timers/promises';

const shutdownMilliseconds = 1000;

interface BackgroundWriterOptions<Batch> {
  /** What is added in this time is written together. */
  readonly intervalMilliseconds: number;
  readonly createBatch: () => Batch;
  readonly write: (batch: Batch) => Promise<void>;
  /** Called with the first error after a success. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes batches one after the other, while the next one fills up. What can't be written is dropped. */
export class BackgroundWriter<Batch extends { readonly isEmpty: boolean }> {
  private batch: Batch;
  private timer: NodeJS.Timeout | undefined;
  /** Resolves when nothing is being written. */
  private writing: Promise<void> = Promise.resolve();
  private hasFailed = false;

  constructor(private readonly options: BackgroundWriterOptions<Batch>) {
    this.batch = options.createBatch();
  }

  /** Adds to the batch that is written next. */
  add(change: (batch: Batch) => void): void {
    change(this.batch);
    this.timer ??= this.startTimer();
  }

  /** Finishes the running write and writes what is left, unless that takes too long. */
  async stop(): Promise<void> {
    this.flush();
    await Promise.race([this.writing, delay(shutdownMilliseconds, undefined, { ref: false })]);
  }

  private startTimer(): NodeJS.Timeout {
    return setTimeout(() => this.flush(), this.options.intervalMilliseconds).unref();
  }

  /** Writes after the running write, if there is one. */
  private flush(): void {
    this.writing = this.writing.then(() => this.write());
  }

  /** What is added during a write goes into the next batch. */
  private async write(): Promise<void> {
    clearTimeout(this.timer);
    const { batch } = this;
    this.batch = this.options.createBatch();
    try {
      if (!batch.isEmpty) await this.options.write(batch);
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.options.onFailure(error);
      this.hasFailed = true;
    }
    this.timer = this.batch.isEmpty ? undefined : this.startTimer();
  }
}
