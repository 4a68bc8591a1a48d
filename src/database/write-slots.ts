import { unavailable } from '../common/errors/app-error.js';

/** Limits how many transactions may write at the same time; the rest wait for their turn. */
export class WriteSlots {
  private readonly waiting = new Set<() => void>();

  /**
   * @param free number of slots
   * @param patienceMilliseconds how long a transaction waits for a slot
   */
  constructor(
    private free: number,
    private readonly patienceMilliseconds: number,
  ) {}

  /**
   * Takes a slot; the caller releases it.
   *
   * @throws AppError 503 when no slot becomes free in time
   */
  async acquire(): Promise<void> {
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(proceed);
        reject(unavailable('database-unavailable', 'The database is slow to confirm changes. Try again shortly.', 1));
      }, this.patienceMilliseconds);
      this.waiting.add(proceed);
    });
  }

  /** Passes the slot to the transaction that has waited longest. */
  release(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
