import { unavailable } from '../common/errors/app-error.js';

interface Patience {
  /** How long a transaction waits while no slot is released. */
  stalledMilliseconds: number;
  /** How long it waits altogether. */
  totalMilliseconds: number;
}

/** Limits the number of concurrent write transactions; further ones queue. */
export class WriteSlots {
  private readonly waiting = new Set<() => void>();
  private releasedAt = -Infinity;

  /** @param free number of slots */
  constructor(
    private free: number,
    private readonly patience: Patience,
  ) {}

  /**
   * Takes a slot; the caller must release it.
   *
   * @throws AppError 503 if no slot becomes free in time
   */
  async acquire(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    const startedAt = performance.now();
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout;
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUpOrWait = () => {
        const remaining = this.deadline(startedAt) - performance.now();
        if (remaining > 0) {
          timer = setTimeout(giveUpOrWait, Math.ceil(remaining));
          return;
        }
        this.waiting.delete(proceed);
        reject(unavailable('database-unavailable', 'The database is slow to confirm changes. Try again shortly.', 1));
      };
      this.waiting.add(proceed);
      giveUpOrWait();
    });
  }

  /** Passes the slot to the longest-waiting transaction. */
  release(): void {
    this.releasedAt = performance.now();
    const [next] = this.waiting;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.waiting.delete(next);
    next();
  }

  private deadline(startedAt: number): number {
    const { stalledMilliseconds, totalMilliseconds } = this.patience;
    return Math.min(Math.max(startedAt, this.releasedAt) + stalledMilliseconds, startedAt + totalMilliseconds);
  }
}
