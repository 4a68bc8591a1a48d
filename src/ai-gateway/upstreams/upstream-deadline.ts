import { afterPendingInput } from '../../common/deadline.js';

/** A client that takes longer to read a part of a response may have made the upstream give up. */
const slowClientMilliseconds = 250;

/** Limits the time an upstream may take, not counting the time in which the client doesn't read. */
export class UpstreamDeadline {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private pausedAt: number | undefined;
  private hasPausedLong = false;
  private millisecondsLeft = 0;

  constructor(private readonly onLate: () => void) {}

  /** Whether the client keeps the upstream waiting, or has done so for long. */
  get isClientSlow(): boolean {
    return this.timer === undefined || this.hasPausedLong;
  }

  start(milliseconds: number): void {
    this.millisecondsLeft = milliseconds;
    this.resume();
  }

  pause(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.pausedAt = performance.now();
    this.millisecondsLeft -= this.pausedAt - this.startedAt;
  }

  resume(): void {
    this.pause();
    this.startedAt = performance.now();
    if (this.pausedAt !== undefined) this.hasPausedLong ||= this.startedAt - this.pausedAt > slowClientMilliseconds;
    const timer = setTimeout(
      () => {
        // A response that arrived while this process was stalled counts.
        afterPendingInput(() => {
          if (this.timer === timer) this.onLate();
        });
      },
      Math.max(0, this.millisecondsLeft),
    );
    this.timer = timer;
  }
}
