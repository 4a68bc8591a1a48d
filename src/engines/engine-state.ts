import { Logger } from '@nestjs/common';

/** Delay before a failed engine is tried again. It starts at the minimum and doubles after each failure. */
export interface RetryDelays {
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
}

const defaultRetryDelays: RetryDelays = { minMilliseconds: 1000, maxMilliseconds: 60_000 };

/** How much work waits for the workers of an engine. */
export interface QueueLoad {
  /** Texts or documents. */
  readonly waiting: number;
  readonly busyWorkers: number;
  readonly workers: number;
}

/** Whether an engine works. A failed engine is tested in the background until it recovers. */
export class EngineState {
  private readonly logger = new Logger('Engines');
  private current: 'idle' | 'ready' | 'failed' = 'idle';
  private retryDelayMilliseconds: number;
  private retryTimer: NodeJS.Timeout | undefined;
  private isTesting = false;
  private isClosed = false;

  /**
   * @param name identifies the engine in the log
   * @param selfTest runs the engine, which calls `markReady` or `markFailed` as it does for requests
   */
  constructor(
    private readonly name: string,
    private readonly selfTest: () => Promise<unknown>,
    private readonly retryDelays = defaultRetryDelays,
  ) {
    this.retryDelayMilliseconds = retryDelays.minMilliseconds;
  }

  get value(): 'idle' | 'ready' | 'failed' {
    return this.current;
  }

  /** Call this after the engine has produced a result. */
  markReady(): void {
    if (this.current === 'failed') this.logger.log(`The engine ${this.name} works again.`);
    this.current = 'ready';
    this.retryDelayMilliseconds = this.retryDelays.minMilliseconds;
    clearTimeout(this.retryTimer);
    this.retryTimer = undefined;
  }

  /** Call this after the engine could not be loaded or run. */
  markFailed(): void {
    this.current = 'failed';
    this.scheduleRetry();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.retryTimer);
  }

  private scheduleRetry(): void {
    if (this.isClosed || this.isTesting || this.retryTimer !== undefined) return;
    this.retryTimer = setTimeout(() => void this.retry(), this.retryDelayMilliseconds).unref();
  }

  private async retry(): Promise<void> {
    this.retryTimer = undefined;
    this.isTesting = true;
    try {
      await this.selfTest();
    } catch {
      // The first failure was logged with its request.
    } finally {
      this.isTesting = false;
    }
    if (this.current !== 'failed') return;
    this.retryDelayMilliseconds = Math.min(this.retryDelayMilliseconds * 2, this.retryDelays.maxMilliseconds);
    this.scheduleRetry();
  }
}
