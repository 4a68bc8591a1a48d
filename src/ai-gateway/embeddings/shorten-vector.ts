/** The first `dimensions` numbers of a vector, scaled to length 1 again. */
export function shortenVector(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions === vector.length) return vector;
  const short = vector.slice(0, dimensions);
  const length = Math.hypot(...short);
  return length === 0 ? short : short.map((value) => value / length);
}
