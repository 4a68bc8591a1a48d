import { afterPendingInput } from '../../common/deadline.js';

/** Limits the time an upstream may take, not counting the time in which the client doesn't read. */
export class UpstreamDeadline {
  private timer: NodeJS.Timeout | undefined;
  private startedAt = 0;
  private millisecondsLeft = 0;

  constructor(private readonly onLate: () => void) {}

  get isPaused(): boolean {
    return this.timer === undefined;
  }

  start(milliseconds: number): void {
    this.millisecondsLeft = milliseconds;
    this.resume();
  }

  pause(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.millisecondsLeft -= performance.now() - this.startedAt;
  }

  resume(): void {
    this.pause();
    this.startedAt = performance.now();
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
