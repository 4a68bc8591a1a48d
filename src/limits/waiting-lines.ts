/** How often the first requests of a line ask again. */
const pauseMilliseconds = 20;
/** How many requests of a line ask at a time. Those behind them can't be served before. */
const askingAtOnce = 16;

interface Waiter {
  /** From `performance.now()`. */
  readonly expiresAt: number;
  /** Ends the current wait. */
  wake: () => void;
  hasLeft: boolean;
}

/** A place in a line. */
export interface Place {
  /** Resolves when the request should ask again: it's among the first, or has waited long enough. */
  next: () => Promise<void>;
  /** Ends the wait. Can be repeated. */
  leave: () => void;
}

/** Lines of requests that wait for reservations of others to end: one for each key, in order of arrival. */
export class WaitingLines {
  private readonly lines = new Map<string, Waiter[]>();
  private timer: NodeJS.Timeout | undefined;

  /** Number of requests that wait. */
  get count(): number {
    let count = 0;
    for (const line of this.lines.values()) count += line.length;
    return count;
  }

  /** Number of requests of the key that wait. */
  lengthOf(keyId: string): number {
    return this.lines.get(keyId)?.length ?? 0;
  }

  /**
   * Adds a request to the end of its key's line.
   *
   * @param expiresAt from `performance.now()`
   */
  join(keyId: string, expiresAt: number): Place {
    const waiter: Waiter = { expiresAt, wake: () => undefined, hasLeft: false };
    const line = this.lines.get(keyId) ?? [];
    line.push(waiter);
    this.lines.set(keyId, line);
    this.timer ??= this.wakeLater();
    return {
      next: () =>
        new Promise((resolve) => {
          waiter.wake = resolve;
          // While it was asking: nothing would wake it any more.
          if (waiter.hasLeft) resolve();
        }),
      leave: () => this.leave(keyId, waiter),
    };
  }

  private leave(keyId: string, waiter: Waiter): void {
    const line = this.lines.get(keyId);
    const index = line?.indexOf(waiter) ?? -1;
    if (line !== undefined && index !== -1) line.splice(index, 1);
    if (line?.length === 0) this.lines.delete(keyId);
    waiter.hasLeft = true;
    waiter.wake();
  }

  private wakeLater(): NodeJS.Timeout {
    return setTimeout(() => this.wakeSome(), pauseMilliseconds).unref();
  }

  private wakeSome(): void {
    const now = performance.now();
    for (const line of this.lines.values()) {
      for (const [index, { expiresAt, wake }] of line.entries()) if (index < askingAtOnce || expiresAt <= now) wake();
    }
    this.timer = this.lines.size === 0 ? undefined : this.wakeLater();
  }
}
