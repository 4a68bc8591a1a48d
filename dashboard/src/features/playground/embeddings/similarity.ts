/** Returns 1 for vectors of the same direction, 0 for orthogonal and -1 for opposite ones. */
export function cosineSimilarity(one: readonly number[], other: readonly number[]): number {
  const lengths = Math.sqrt(dotProduct(one, one) * dotProduct(other, other));
  return lengths === 0 ? 0 : dotProduct(one, other) / lengths;
}

/** Compares every vector with every vector. */
export function similarityMatrix(vectors: readonly (readonly number[])[]): number[][] {
  return vectors.map((one) => vectors.map((other) => cosineSimilarity(one, other)));
}

/** Returns the strength of the cell's color in percent, rounded to tens. Negative similarities have no color. */
export function colorStrength(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * 10) * 10;
}

/** Formats with two decimals. Never returns "-0.00". */
export function formatSimilarity(similarity: number): string {
  return (Math.round(similarity * 100) / 100 + 0).toFixed(2);
}

function dotProduct(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
