import { unavailable } from '../common/errors/app-error.js';

interface HashingLimits {
  /** Tasks that run at a time. */
  concurrency: number;
  /** Tasks that may wait. */
  waiting: number;
}

/** Bounds the memory and processors that password hashing takes: a few run, a few wait, the rest is rejected. */
export class HashingQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: HashingLimits) {}

  /**
   * Runs a task in its turn.
   *
   * @throws AppError 503 when too many are waiting
   */
  async run<T>(task: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await task();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.limits.concurrency) {
      this.running++;
      return;
    }
    if (this.waiting.length >= this.limits.waiting) {
      throw unavailable('overloaded', 'Too many passwords are being checked. Try again in a moment.', 1);
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /** Hands the place to the next task, or frees it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
