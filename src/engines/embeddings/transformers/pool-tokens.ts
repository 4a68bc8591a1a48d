import type { TransformersOptions } from '../../../config/model-definition.js';

/** What a model says of the tokens of a batch: `[windows, width, dimensions]` as one array. */
export interface TokenVectors {
  readonly values: ArrayLike<number>;
  readonly width: number;
  readonly dimensions: number;
  /** Tokens of each window; what comes after them is padding. */
  readonly lengths: ArrayLike<number>;
}

/** One vector for each window, `[windows, dimensions]` as one array, in which padding has no part. */
export function poolTokens(
  tokens: TokenVectors,
  { pooling, normalize }: Pick<TransformersOptions, 'pooling' | 'normalize'>,
): Float32Array<ArrayBuffer> {
  const { lengths, width, dimensions } = tokens;
  const pooled = new Float32Array(lengths.length * dimensions);
  for (let row = 0; row < lengths.length; row += 1) {
    const vector = pooled.subarray(row * dimensions, (row + 1) * dimensions);
    const [first, count] = pooledTokens(pooling, lengths[row] ?? 0);
    addTokens(vector, tokens, row * width + first, count);
    if (normalize) scaleToLengthOne(vector);
  }
  return pooled;
}

/** The tokens of a window whose mean is its vector: the first of them, and how many. */
function pooledTokens(pooling: TransformersOptions['pooling'], length: number): [first: number, count: number] {
  switch (pooling) {
    case 'mean':
      return [0, length];
    case 'cls':
      return [0, 1];
    case 'last_token':
      return [length - 1, 1];
  }
}

function addTokens(vector: Float32Array, { values, dimensions }: TokenVectors, first: number, count: number): void {
  for (let dimension = 0; dimension < dimensions; dimension += 1) {
    let sum = 0;
    for (let token = first; token < first + count; token += 1) sum += values[token * dimensions + dimension] ?? 0;
    vector[dimension] = sum / count;
  }
}

function scaleToLengthOne(vector: Float32Array): void {
  const length = Math.hypot(...vector);
  if (length > 0) vector.forEach((value, dimension) => (vector[dimension] = value / length));
}
