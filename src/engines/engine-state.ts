import { Logger } from '@nestjs/common';

/** How long a failed engine waits until it is tried again; twice as long after each failure. */
export interface RetryPauses {
  readonly shortestMilliseconds: number;
  readonly longestMilliseconds: number;
}

const defaultPauses: RetryPauses = { shortestMilliseconds: 1000, longestMilliseconds: 60_000 };

/** Whether an engine works. One that has failed is tried in the background until it does. */
export class EngineState {
  private readonly logger = new Logger('Engines');
  private current: 'idle' | 'ready' | 'failed' = 'idle';
  private pauseMilliseconds: number;
  private timer: NodeJS.Timeout | undefined;
  private isTrying = false;
  private isClosed = false;

  /**
   * @param name of the engine, for the log
   * @param tryEngine does some work with the engine, which calls `succeed` or `fail` as any other work does
   */
  constructor(
    private readonly name: string,
    private readonly tryEngine: () => Promise<unknown>,
    private readonly pauses = defaultPauses,
  ) {
    this.pauseMilliseconds = pauses.shortestMilliseconds;
  }

  get value(): 'idle' | 'ready' | 'failed' {
    return this.current;
  }

  /** The engine has done some work. */
  succeed(): void {
    if (this.current === 'failed') this.logger.log(`The engine ${this.name} works again.`);
    this.current = 'ready';
    this.pauseMilliseconds = this.pauses.shortestMilliseconds;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The engine could not be loaded or run. */
  fail(): void {
    this.current = 'failed';
    this.retryLater();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private retryLater(): void {
    if (this.isClosed || this.isTrying || this.timer !== undefined) return;
    this.timer = setTimeout(() => void this.retry(), this.pauseMilliseconds).unref();
  }

  private async retry(): Promise<void> {
    this.timer = undefined;
    this.isTrying = true;
    try {
      await this.tryEngine();
    } catch {
      // The first failure was logged with the request that met it.
    } finally {
      this.isTrying = false;
    }
    if (this.current !== 'failed') return;
    this.pauseMilliseconds = Math.min(this.pauseMilliseconds * 2, this.pauses.longestMilliseconds);
    this.retryLater();
  }
}
