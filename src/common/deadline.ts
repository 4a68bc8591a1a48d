/** A timer this late means that the process was stalled, such as by a long computation or a paused machine. */
const stalledShare = 0.1;

/**
 * A time limit on a peer that a stall of this process can't use up. Node runs timers that became due during a stall
 * before it reads what arrived in the meantime: the peer would be blamed for a response that is already here.
 */
export class Deadline {
  private timer: NodeJS.Timeout;
  private isOver = false;

  /** @param onExpired called once, unless `clear` is called before */
  constructor(
    private readonly milliseconds: number,
    private readonly onExpired: () => void,
  ) {
    this.timer = this.arm(this.onTimer);
  }

  /** @returns false when it had expired or was cleared before */
  clear(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.timer);
    return true;
  }

  /** After a stall, the limit starts again, but only once: a process that stalls all the time must still give up. */
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

/** Whether a timer was delayed so much that its limit says nothing about the peer. */
export function isStall(lateMilliseconds: number, limitMilliseconds: number): boolean {
  return lateMilliseconds > stalledShare * limitMilliseconds;
}

/** Runs after everything that has already arrived was read; to be called from a timer. */
export function afterPendingInput(run: () => void): void {
  setImmediate(run);
}
