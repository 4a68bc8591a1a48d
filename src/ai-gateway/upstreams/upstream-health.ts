/** Enough for a 95th percentile that follows changes within minutes. */
const maxDurations = 200;
const maxOutcomes = 200;

export interface UpstreamError {
  readonly at: Date;
  /** What the upstream did, such as `responded 503`. */
  readonly reason: string;
}

/** What this replica has seen of an upstream since it started. */
export class UpstreamHealth {
  lastError: UpstreamError | undefined;
  /** The durations of the latest successful responses, in milliseconds. */
  private readonly durations = new Float64Array(maxDurations);
  private responseCount = 0;
  /** 1 for each of the latest outcomes that was a failure. */
  private readonly failures = new Uint8Array(maxOutcomes);
  private outcomeCount = 0;

  /** @param observe called when an exchange with the upstream has ended */
  constructor(
    private readonly observe: (outcome: 'success' | 'failure', milliseconds: number) => void = () => undefined,
  ) {}

  /** @param milliseconds from sending the request until the response began */
  recordResponse(milliseconds: number): void {
    this.durations[this.responseCount++ % maxDurations] = milliseconds;
    this.failures[this.outcomeCount++ % maxOutcomes] = 0;
    this.observe('success', milliseconds);
  }

  /** @param milliseconds from sending the request until it failed */
  recordError(reason: string, milliseconds: number): void {
    this.lastError = { at: new Date(), reason };
    this.failures[this.outcomeCount++ % maxOutcomes] = 1;
    this.observe('failure', milliseconds);
  }

  /** The 95th percentile of the last 200 successful responses; null without any. */
  get p95Milliseconds(): number | null {
    const count = Math.min(this.responseCount, maxDurations);
    const sorted = this.durations.slice(0, count).sort();
    return sorted[Math.ceil(count * 0.95) - 1] ?? null;
  }

  /** The share of failures among the last 200 outcomes; null without any. */
  get errorShare(): number | null {
    const count = Math.min(this.outcomeCount, maxOutcomes);
    return count === 0 ? null : this.failures.reduce((sum, failure) => sum + failure, 0) / count;
  }
}
