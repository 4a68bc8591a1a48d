export interface CircuitSettings {
  /** Consecutive failures before the circuit opens. */
  failuresToOpen: number;
  /** How long it stays open at first. Doubles after each failed probe. */
  shortestPauseMilliseconds: number;
  longestPauseMilliseconds: number;
}

/** How a request ended. `unknown` if it was canceled before it showed anything about the upstream. */
export type Outcome = 'success' | 'failure' | 'unknown';

/** Permission to send one request. Must be returned with the outcome. */
export interface Pass {
  readonly isProbe: boolean;
}

/**
 * Protects a failing upstream: after some consecutive failures it gets no requests for a while, then one probe. If that
 * succeeds, the circuit closes.
 */
export class Circuit {
  private failuresInRow = 0;
  private pauseMilliseconds: number;
  /** Undefined while the circuit is closed. */
  private openUntil: number | undefined;
  private isProbing = false;

  /** @param now monotonic clock in milliseconds */
  constructor(
    private readonly settings: CircuitSettings,
    private readonly now: () => number,
  ) {
    this.pauseMilliseconds = settings.shortestPauseMilliseconds;
  }

  /** Undefined if no request may be sent now. Every pass must be returned by `leave`. */
  enter(): Pass | undefined {
    if (this.openUntil === undefined) return { isProbe: false };
    if (this.isProbing || this.now() < this.openUntil) return undefined;
    this.isProbing = true;
    return { isProbe: true };
  }

  leave({ isProbe }: Pass, outcome: Outcome): void {
    if (isProbe) this.isProbing = false;
    // A request sent before the circuit opened shows nothing new.
    if (outcome === 'unknown' || isProbe !== (this.openUntil !== undefined)) return;
    if (outcome === 'success') this.close();
    else this.countFailure(isProbe);
  }

  /** Time until the next probe may be sent; 0 if a request may be sent now. */
  millisecondsToProbe(): number {
    return this.openUntil === undefined ? 0 : Math.max(0, this.openUntil - this.now());
  }

  private close(): void {
    this.failuresInRow = 0;
    this.openUntil = undefined;
    this.pauseMilliseconds = this.settings.shortestPauseMilliseconds;
  }

  private countFailure(isProbe: boolean): void {
    const { failuresToOpen, longestPauseMilliseconds } = this.settings;
    this.failuresInRow += 1;
    if (!isProbe && this.failuresInRow < failuresToOpen) return;
    if (isProbe) this.pauseMilliseconds = Math.min(this.pauseMilliseconds * 2, longestPauseMilliseconds);
    this.openUntil = this.now() + this.pauseMilliseconds;
  }
}
