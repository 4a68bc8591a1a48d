import type { TransformersOptions } from './options.js';

/** A model's output for a batch. */
export interface TokenVectors {
  /** `[windows, width, dimensions]` in row-major order. */
  readonly values: ArrayLike<number>;
  readonly width: number;
  readonly dimensions: number;
  /** Token count of each window. The rest of its width is padding. */
  readonly lengths: ArrayLike<number>;
}

/** Combines token vectors into one vector per window: `[windows, dimensions]` in row-major order. Ignores padding. */
export function poolTokens(
  tokens: TokenVectors,
  { pooling, normalize }: Pick<TransformersOptions, 'pooling' | 'normalize'>,
): Float32Array<ArrayBuffer> {
  const { lengths, width, dimensions } = tokens;
  const pooled = new Float32Array(lengths.length * dimensions);
  for (let row = 0; row < lengths.length; row += 1) {
    const vector = pooled.subarray(row * dimensions, (row + 1) * dimensions);
    const [first, count] = pooledRange(pooling, lengths[row] ?? 0);
    writeMean(vector, tokens, row * width + first, count);
    if (normalize) normalizeLength(vector);
  }
  return pooled;
}

/** The range of tokens in a window whose mean becomes its vector. */
function pooledRange(pooling: TransformersOptions['pooling'], length: number): [first: number, count: number] {
  switch (pooling) {
    case 'mean':
      return [0, length];
    case 'cls':
      return [0, 1];
    case 'last_token':
      return [length - 1, 1];
  }
}

function writeMean(vector: Float32Array, { values, dimensions }: TokenVectors, first: number, count: number): void {
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    let sum = 0;
    for (let token = first; token < first + count; token += 1) sum += values[token * dimensions + dimension] ?? 0;
    vector[dimension] = sum / count;
  }
}

function normalizeLength(vector: Float32Array): void {
  const length = Math.hypot(...vector);
  if (length > 0) vector.forEach((value, dimension) => (vector[dimension] = value / length));
}
