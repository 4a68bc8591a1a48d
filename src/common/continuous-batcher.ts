import { afterPendingInput, isStall } from './deadline.js';
import { runIsolated } from './run-isolated.js';

/** The queue is full: retry later. */
export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

/** The response did not arrive in time. */
export class DeadlineExceededError extends Error {
  override name = 'DeadlineExceededError';

  /** @param wasSent whether the item is being executed, which may still succeed */
  constructor(
    message: string,
    readonly wasSent: boolean,
  ) {
    super(message);
  }
}

interface ContinuousBatcherOptions<Item, Lane, Result> {
  /** Executors of batches, such as connections; each runs one batch at a time. */
  lanes: readonly Lane[];
  maxBatchSize: number;
  /** Maximum number of waiting items; beyond that, `submit` throws `QueueFullError`. */
  maxQueueLength: number;
  /** Time limit for an item, including waiting. */
  deadlineMilliseconds: number;
  /**
   * Runs a batch and returns the results in the order of its items. If it throws, nothing must have changed: if values of
   * some items are the cause, it runs again with parts of the batch.
   */
  execute: (lane: Lane, items: Item[]) => Promise<Result[]>;
}

interface Entry<Item, Result> {
  item: Item;
  expiresAt: number;
  /** Whether the deadline was restarted after a stall of this process. */
  isExtended: boolean;
  isExecuting: boolean;
  /** Whether the deadline has passed, so that the item must not be executed. */
  hasExpired: boolean;
  resolve: (result: Result) => void;
  reject: (reason: unknown) => void;
}

/**
 * Continuous batching: items that arrive while a batch is running form the next one. A single item is sent
 * immediately; under load, batches grow automatically.
 *
 * An item never joins a batch that was already sent. Everything a batch reads is therefore read after each of its items
 * was submitted, which is why a deleted key is never accepted.
 *
 * Items share a statement, but not their errors: an item that PostgreSQL rejects for its values fails alone.
 */
export class ContinuousBatcher<Item, Lane, Result> {
  private waiting: Entry<Item, Result>[] = [];
  private readonly running: Entry<Item, Result>[][] = [];
  private readonly idleLanes: Lane[];
  /** Totals since the start. */
  batchCount = 0;
  itemCount = 0;
  private isDispatchScheduled = false;
  private deadlineTimer: NodeJS.Timeout | undefined;
  private readonly drained: (() => void)[] = [];

  constructor(private readonly options: ContinuousBatcherOptions<Item, Lane, Result>) {
    this.idleLanes = [...options.lanes];
  }

  /** Number of items that are in no batch yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  /**
   * @throws QueueFullError immediately, DeadlineExceededError after the deadline, or any error from `execute`
   */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= this.options.maxQueueLength) {
        reject(new QueueFullError('The queue is full.'));
        return;
      }
      const expiresAt = performance.now() + this.options.deadlineMilliseconds;
      const state = { isExtended: false, isExecuting: false, hasExpired: false };
      this.waiting.push({ item, expiresAt, ...state, resolve, reject });
      this.scheduleDispatch();
      this.armDeadline();
    });
  }

  /** Waits until no item is waiting or running. */
  drain(): Promise<void> {
    return new Promise((resolve) => {
      this.drained.push(resolve);
      this.reportDrained();
    });
  }

  /** Waits for the end of this event loop turn, so that all items that arrive in it share a batch. */
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
      void this.run(lane, this.waiting.splice(0, this.options.maxBatchSize));
    }
    this.reportDrained();
  }

  private reportDrained(): void {
    if (this.waiting.length > 0 || this.running.length > 0) return;
    for (const done of this.drained.splice(0)) done();
  }

  private async run(lane: Lane, batch: Entry<Item, Result>[]): Promise<void> {
    this.running.push(batch);
    this.batchCount += 1;
    this.itemCount += batch.length;
    const execute = (part: readonly Entry<Item, Result>[]) => this.execute(lane, part);
    await runIsolated(batch, execute, (failed, error) => {
      for (const entry of failed) entry.reject(error);
    });
    this.running.splice(this.running.indexOf(batch), 1);
    this.idleLanes.push(lane);
    this.dispatch();
  }

  /** Executes the items of a batch, or of a part of it, that haven't expired. */
  private async execute(lane: Lane, part: readonly Entry<Item, Result>[]): Promise<void> {
    const entries = part.filter(({ hasExpired }) => !hasExpired);
    if (entries.length === 0) return;
    for (const entry of entries) entry.isExecuting = true;
    try {
      const items = entries.map(({ item }) => item);
      const results = await this.options.execute(lane, items);
      entries.forEach((entry, index) => entry.resolve(results[index] as Result));
    } finally {
      for (const entry of entries) entry.isExecuting = false;
    }
  }

  /** One timer for all items, set to the oldest one. */
  private armDeadline(): void {
    this.deadlineTimer ??= this.rejectExpiredIn(this.options.deadlineMilliseconds);
  }

  private rejectExpired(): void {
    this.deadlineTimer = undefined;
    const now = performance.now();
    const isExpired = (entry: Entry<Item, Result>) => entry.expiresAt <= now;
    // If the batch still returns, settling its entries again has no effect.
    for (const entry of this.pending().filter(isExpired)) {
      entry.hasExpired = true;
      entry.reject(new DeadlineExceededError('The response did not arrive in time.', entry.isExecuting));
    }
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

  /** Once per item: a process that keeps stalling must still reject. */
  private extendDeadlines(): void {
    const expiresAt = performance.now() + this.options.deadlineMilliseconds;
    for (const entry of this.pending()) {
      if (entry.isExtended) continue;
      entry.isExtended = true;
      entry.expiresAt = expiresAt;
    }
  }

  private pending(): Entry<Item, Result>[] {
    return [...this.running, this.waiting].flat();
  }
}
