export function increment(counts: Uint32Array, value = 0): void {
  counts[value] = (counts[value] ?? 0) + 1;
}

/** Returns the smallest value that this share of all values doesn't exceed. */
export function quantile(counts: Uint32Array, share: number): number {
  let missing = share * counts.reduce((sum, count) => sum + count, 0);
  return counts.findIndex((count) => (missing -= count) <= 0);
}
