/** Keeps predictions repeatable. */
const seed = 0x9e3779b9;

/**
 * Returns a function that turns the mean of a time into a random one with the exponential distribution, the usual
 * assumption for service times (M in Kendall's notation). The same calls give the same times.
 */
export function exponentialTimes(): (mean: number) => number {
  let state = seed;
  // Mulberry32 by Tommy Ettinger.
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return (mean) => -mean * Math.log(1 - random());
}
