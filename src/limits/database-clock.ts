/** Holds count for at least this long after they were made or renewed; see the function `hold_generation`. */
const generationMilliseconds = 15_000;

/** Estimates the database's clock. It is behind by at most the time that a statement takes. */
export class DatabaseClock {
  private offset = 0;

  /** @param at what the database's clock has just said, in milliseconds since 1970 */
  set(at: number): void {
    this.offset = at - performance.now();
  }

  /** Milliseconds since 1970. */
  now(): number {
    return performance.now() + this.offset;
  }

  /** Whose holds need no renewal. */
  get generation(): number {
    return Math.floor(this.now() / generationMilliseconds);
  }
}
