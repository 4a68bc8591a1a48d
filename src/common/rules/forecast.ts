/** A period of time, in milliseconds since 1970. */
export interface TimeSpan {
  /** Inclusive. */
  start: number;
  /** Exclusive. */
  end: number;
}

/** Forecasts from less of a period are guesses. */
const leastShare = 0.05;

/**
 * Forecasts what is used at the end of a period if the rest of it is like what has passed. Undefined if nothing is used,
 * or too little of the period has passed.
 */
export function forecast(used: bigint, { start, end }: TimeSpan, now: number): bigint | undefined {
  const [length, elapsed] = [Math.round(end - start), Math.round(now - start)];
  if (used <= 0n || elapsed < length * leastShare || elapsed > length) return undefined;
  return (used * BigInt(length)) / BigInt(elapsed);
}
