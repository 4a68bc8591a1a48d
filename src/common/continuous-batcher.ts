import { afterPendingInput, isStall } from './deadline.js';

/** Nothing more can wait: try again later. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

/** The response did not arrive in time. */
export class DeadlineExceededError extends Error {
  override name = 'DeadlineExceededError';

  /** @param wasSent whether the item was part of a batch under way, which may still succeed */
  constructor(
    message: string,
    readonly wasSent: boolean,
  ) {
    super(message);
  }
}

interface ContinuousBatcherOptions<Item, Lane, Result> {
  /** What batches run on, such as connections; each runs one batch at a time. */
  lanes: readonly Lane[];
  largestBatch: number;
  /** How many items may wait; beyond that, `submit` throws `QueueFullError`. */
  largestQueue: number;
  /** How long an item may take in all, waiting included. */
  deadlineMilliseconds: number;
  /** Handles a batch and returns its results in the order of its items. */
  execute: (lane: Lane, items: Item[]) => Promise<Result[]>;
}

interface Entry<Item, Result> {
  item: Item;
  expiresAt: number;
  /** Whether the deadline started again after a stall of this process. */
  isExtended: boolean;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Continuous batching: while a batch is under way, arriving items wait; when it returns, all that wait go in one.
 * Alone, an item leaves at once; under load, batches grow by themselves.
 *
 * An item only ever joins a batch that has not been sent. What a batch reads is therefore read after each of its
 * items was submitted: this is what keeps a deleted key from being accepted.
 */
export class ContinuousBatcher<Item, Lane, Result> {
  private waiting: Entry<Item, Result>[] = [];
  private readonly underWay = new Set<Entry<Item, Result>[]>();
  private readonly idleLanes: Lane[];
  private isDispatchScheduled = false;
  private deadlineTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ContinuousBatcherOptions<Item, Lane, Result>) {
    this.idleLanes = [...options.lanes];
  }

  /**
   * @throws QueueFullError at once, DeadlineExceededError after the deadline, or what `execute` throws
   */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= this.options.largestQueue) {
        reject(new QueueFullError('The queue is full.'));
        return;
      }
      const expiresAt = performance.now() + this.options.deadlineMilliseconds;
      this.waiting.push({ item, expiresAt, isExtended: false, resolve, reject });
      this.scheduleDispatch();
      this.armDeadline();
    });
  }

  /** At the end of this turn of the event loop, so that everything which arrives in it shares a batch. */
  private scheduleDispatch(): void {
    if (this.isDispatchScheduled || this.idleLanes.length === 0) return;
    this.isDispatchScheduled = true;
    setImmediate(() => {
      this.isDispatchScheduled = false;
      this.dispatch();
    });
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const lane = this.idleLanes.pop();
      if (lane === undefined) return;
      void this.run(lane, this.waiting.splice(0, this.options.largestBatch));
    }
  }

  private async run(lane: Lane, batch: Entry<Item, Result>[]): Promise<void> {
    this.underWay.add(batch);
    try {
      const items = batch.map((entry) => entry.item);
      const results = await this.options.execute(lane, items);
      batch.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    } finally {
      this.underWay.delete(batch);
      this.idleLanes.push(lane);
      this.dispatch();
    }
  }

  /** One timer for all, set to the oldest item. */
  private armDeadline(): void {
    this.deadlineTimer ??= this.rejectExpiredIn(this.options.deadlineMilliseconds);
  }

  private rejectExpired(): void {
    this.deadlineTimer = undefined;
    const now = performance.now();
    const isExpired = (entry: Entry<Item, Result>) => entry.expiresAt <= now;
    const reject = (entries: Entry<Item, Result>[], wasSent: boolean) => {
      for (const entry of entries.filter(isExpired)) {
        entry.reject(new DeadlineExceededError('The response did not arrive in time.', wasSent));
      }
    };
    // Settling an entry again when its batch returns after all has no effect.
    for (const batch of this.underWay) reject(batch, true);
    reject(this.waiting, false);
    this.waiting = this.waiting.filter((entry) => !isExpired(entry));

    const left = this.pending().filter((entry) => !isExpired(entry));
    if (left.length === 0) return;
    const next = Math.min(...left.map((entry) => entry.expiresAt));
    this.deadlineTimer = this.rejectExpiredIn(Math.max(1, next - now));
  }

  private rejectExpiredIn(milliseconds: number): NodeJS.Timeout {
    const dueAt = performance.now() + milliseconds;
    const onTimer = () => {
      if (isStall(performance.now() - dueAt, this.options.deadlineMilliseconds)) this.extendDeadlines();
      afterPendingInput(() => this.rejectExpired());
    };
    return setTimeout(onTimer, milliseconds).unref();
  }

  /** Only once per item: a process that stalls all the time must still reject. */
  private extendDeadlines(): void {
    const expiresAt = performance.now() + this.options.deadlineMilliseconds;
    for (const entry of this.pending()) {
      if (entry.isExtended) continue;
      entry.isExtended = true;
      entry.expiresAt = expiresAt;
    }
  }

  private pending(): Entry<Item, Result>[] {
    return [...this.underWay, this.waiting].flat();
  }
}
