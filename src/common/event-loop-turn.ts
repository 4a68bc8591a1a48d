/** Takes a few milliseconds for the slowest work. */
const defaultBytesPerTurn = 64 * 1024;

const waiting: (() => void)[] = [];

/**
 * Waits for a turn of the event loop, to split work that takes too long for one. Each turn serves one waiting request,
 * so other requests aren't delayed by the number of waiting ones.
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

/** Splits the work of one request into turns by processed bytes. */
export class TurnBudget {
  private spentBytes = 0;

  /** @param bytesPerTurn maximum bytes processed in one turn */
  constructor(readonly bytesPerTurn = defaultBytesPerTurn) {}

  /**
   * Call it before processing `bytes`, at most `bytesPerTurn`.
   *
   * @returns a promise to await, or undefined while the current turn has room: small requests never wait
   */
  spend(bytes: number): Promise<void> | undefined {
    const isFirst = this.spentBytes === 0;
    this.spentBytes += bytes;
    if (isFirst || this.spentBytes <= this.bytesPerTurn) return undefined;
    this.spentBytes = bytes;
    return nextTurn();
  }
}
