/** How alike the directions of two vectors are: 1 for the same, 0 for unrelated, -1 for opposite ones. */
export function cosineSimilarity(one: readonly number[], other: readonly number[]): number {
  const lengths = Math.sqrt(dotProduct(one, one) * dotProduct(other, other));
  return lengths === 0 ? 0 : dotProduct(one, other) / lengths;
}

/** The similarity of each vector to each, row by row. */
export function similarityMatrix(vectors: readonly (readonly number[])[]): number[][] {
  return vectors.map((one) => vectors.map((other) => cosineSimilarity(one, other)));
}

/** How strongly a similarity is coloured, in steps of ten percent: what is unrelated or opposite has no colour. */
export function colourStrength(similarity: number): number {
  return Math.round(Math.min(1, Math.max(0, similarity)) * 10) * 10;
}

/** With two digits, and never as a negative zero. */
export function formatSimilarity(similarity: number): string {
  return (Math.round(similarity * 100) / 100 + 0).toFixed(2);
}

function dotProduct(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
