import { DIMENSIONS, WINDOW_TOKENS } from './model-shape.js';

/**
 * Cuts a text's tokens into the fewest windows that the model can see, of equal size give or take one:
 * a last window of two tokens would say nothing. No tokens, no windows.
 */
export function splitIntoWindows(tokenIds: Uint16Array): Uint16Array[] {
  const count = Math.ceil(tokenIds.length / WINDOW_TOKENS);
  const boundary = (index: number): number => Math.round((index * tokenIds.length) / count);
  return Array.from({ length: count }, (_, index) => tokenIds.subarray(boundary(index), boundary(index + 1)));
}

/**
 * The vector of a text from those of its windows: their mean, weighted by tokens, brought to length 1.
 * A text without windows has no direction: its vector is all zeros.
 */
export function joinWindows(windows: readonly Uint16Array[], vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (vectors.length === 1 && first !== undefined) return first;
  // Plain loops: a full request joins more than a thousand vectors at once.
  const sum = new Float64Array(DIMENSIONS);
  for (const [index, vector] of vectors.entries()) {
    const weight = windows[index]?.length ?? 0;
    for (let dimension = 0; dimension < DIMENSIONS; dimension += 1) {
      sum[dimension] = (sum[dimension] ?? 0) + weight * (vector[dimension] ?? 0);
    }
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}
