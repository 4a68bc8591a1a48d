/** A few milliseconds of the slowest work. */
const defaultBytesPerTurn = 64 * 1024;

const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop, for work too long to do at once. All waiting requests share the turns, one after
 * the other: a turn never does the work of two requests, so their number does not delay others.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(releaseOne);
  });
}

function releaseOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(releaseOne);
}

/** Splits the work of one request into turns, by the bytes it processes. */
export class TurnBudget {
  private spentBytes = 0;

  /** @param bytesPerTurn most bytes processed in one turn */
  constructor(readonly bytesPerTurn = defaultBytesPerTurn) {}

  /**
   * To be called before work on that many bytes, at most `bytesPerTurn`.
   *
   * @returns what to wait for, or undefined while the current turn has room: small requests never wait
   */
  spend(bytes: number): Promise<void> | undefined {
    const isFirst = this.spentBytes === 0;
    this.spentBytes += bytes;
    if (isFirst || this.spentBytes <= this.bytesPerTurn) return undefined;
    this.spentBytes = bytes;
    return nextTurn();
  }
}
