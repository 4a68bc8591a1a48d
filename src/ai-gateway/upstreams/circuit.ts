export interface CircuitSettings {
  /** So many failures in a row open the circuit. */
  failuresToOpen: number;
  /** How long it stays open at first; twice as long after each probe that fails. */
  shortestPauseMilliseconds: number;
  longestPauseMilliseconds: number;
}

/** How a request ended, for the circuit; `unknown` when it was given up before anything could be learned. */
export type Outcome = 'success' | 'failure' | 'unknown';

/** The right to send one request; to be given back with its outcome. */
export interface Pass {
  readonly isProbe: boolean;
}

/**
 * Spares a server that fails: after some failures in a row no request goes to it for a while, then one probe, on
 * whose outcome it depends whether the others follow.
 */
export class Circuit {
  private failuresInRow = 0;
  private pauseMilliseconds: number;
  /** Undefined while the circuit is closed. */
  private openUntil: number | undefined;
  private isProbing = false;

  /** @param now a clock in milliseconds that never goes back */
  constructor(
    private readonly settings: CircuitSettings,
    private readonly now: () => number,
  ) {
    this.pauseMilliseconds = settings.shortestPauseMilliseconds;
  }

  /** Undefined when no request may be sent now. Every pass must come back through `leave`. */
  enter(): Pass | undefined {
    if (this.openUntil === undefined) return { isProbe: false };
    if (this.isProbing || this.now() < this.openUntil) return undefined;
    this.isProbing = true;
    return { isProbe: true };
  }

  leave({ isProbe }: Pass, outcome: Outcome): void {
    if (isProbe) this.isProbing = false;
    // What was sent before the circuit opened says nothing new about the server.
    if (outcome === 'unknown' || isProbe !== (this.openUntil !== undefined)) return;
    if (outcome === 'success') this.close();
    else this.countFailure(isProbe);
  }

  /** How long until the next probe may be sent; 0 when a request may be sent now. */
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
