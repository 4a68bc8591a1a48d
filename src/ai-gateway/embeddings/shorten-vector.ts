/** The first `dimensions` numbers of a vector, scaled to length 1 again. */
export function shortenVector(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions === vector.length) return vector;
  const short = vector.slice(0, dimensions);
  const length = lengthOf(short);
  return length === 0 ? short : short.map((value) => value / length);
}

/** `Math.hypot` takes several times as long. */
function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}
