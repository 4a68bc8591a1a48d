import { dimensions, maxWindowTokens } from './model-shape.js';

/**
 * Splits a text's tokens into as few windows as possible, all of about the same size: a final window of two tokens would
 * have hardly any meaning. Returns no windows for no tokens.
 */
export function splitIntoWindows(tokenIds: Uint16Array): Uint16Array[] {
  const count = Math.ceil(tokenIds.length / maxWindowTokens);
  const boundary = (index: number): number => Math.round((index * tokenIds.length) / count);
  return Array.from({ length: count }, (_, index) => tokenIds.subarray(boundary(index), boundary(index + 1)));
}

/** Combines the vectors of a text's windows: their mean, weighted by tokens and scaled to length 1. Zeros if none. */
export function joinWindows(windows: readonly Uint16Array[], vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (vectors.length === 1 && first !== undefined) return first;
  // Plain loops for speed: a large request has more than a thousand vectors.
  const sum = new Float64Array(dimensions);
  for (const [index, vector] of vectors.entries()) {
    const weight = windows[index]?.length ?? 0;
    for (let dimension = 0; dimension < dimensions; dimension += 1) {
      sum[dimension] = (sum[dimension] ?? 0) + weight * (vector[dimension] ?? 0);
    }
  }
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = Math.sqrt(squares);
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}
