/** Relative delay of a timer that counts as a stall of this process, caused by a long computation or a paused machine. */
const stallShare = 0.1;

/**
 * A time limit for a peer that tolerates stalls of this process. After a stall, Node runs the timers that are due before
 * it reads pending input: a plain timer would report a timeout although the response is already here.
 */
export class Deadline {
  private timer: NodeJS.Timeout;
  private isOver = false;

  /** @param onExpired called once, unless `clear` is called first */
  constructor(
    private readonly milliseconds: number,
    private readonly onExpired: () => void,
  ) {
    this.timer = this.arm(this.onTimer);
  }

  /** @returns false if the deadline has already expired or been cleared */
  clear(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    return true;
  }

  /** A stall restarts the limit, but only once: a process that keeps stalling must still give up. */
  private readonly onTimer = (lateMilliseconds: number): void => {
    if (isStall(lateMilliseconds, this.milliseconds)) this.timer = this.arm(() => this.expire());
    else this.expire();
  };

  private expire(): void {
    afterPendingInput(() => {
      if (this.clear()) this.onExpired();
    });
  }

  private arm(onTimer: (lateMilliseconds: number) => void): NodeJS.Timeout {
    const dueAt = performance.now() + this.milliseconds;
    return setTimeout(() => onTimer(performance.now() - dueAt), this.milliseconds).unref();
  }
}

/** Aborts like `AbortSignal.timeout`, unless `clear` is called first, but tolerates stalls of this process. */
export function startTimeout(milliseconds: number): { signal: AbortSignal; clear: () => void } {
  const controller = new AbortController();
  const deadline = new Deadline(milliseconds, () => controller.abort(new DOMException('Timed out.', 'TimeoutError')));
  return { signal: controller.signal, clear: () => void deadline.clear() };
}

/** Whether a timer was so late that it says nothing about the peer. */
export function isStall(lateMilliseconds: number, limitMilliseconds: number): boolean {
  return lateMilliseconds > stallShare * limitMilliseconds;
}

/** Runs after input that has already arrived is read. Call it from a timer. */
export function afterPendingInput(run: () => void): void {
  setImmediate(run);
}
