import { unavailable } from '../common/errors/app-error.js';

interface HashingLimits {
  /** How many tasks run at a time. */
  concurrency: number;
  /** How many tasks may wait. */
  waiting: number;
}

/** Limits the memory and CPU that password hashing uses: a few tasks run, a few wait, the rest are rejected. */
export class HashingQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limits: HashingLimits) {}

  /**
   * Runs a task when a slot is free.
   *
   * @throws AppError 503 if the queue is full
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

  /** Passes the slot to the next task, or frees it. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running--;
    else next();
  }
}
