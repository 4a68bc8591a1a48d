import { workerData } from 'node:worker_threads';
import { move } from 'piscina';
import type { StaticOptions } from './options.js';
import type { PackedWindows } from '../batching/packed-windows.js';
import { encodeUpToLimit } from '../encode-up-to-limit.js';
import type { ModelDescription } from '../worker-engine.js';
import { loadStaticModel, type StaticModel } from './static-model.js';

const options = workerData as StaticOptions;
let model: StaticModel | undefined;

/** After a failure, the next task tries again, because the cause may have been fixed. */
const load = (): StaticModel => (model ??= loadStaticModel(options.source));

export function describe(): ModelDescription {
  const { dimensions, unknownToken } = load();
  const specialTokens = unknownToken === undefined ? [] : [unknownToken];
  return { dimensions, maxTokensPerText: options.maxTokens, specialTokens };
}

/** Returns the token ids of each text, including the prefix. A text over the limit is cut. */
export function tokenize(texts: readonly string[]): Int32Array[] {
  const { tokenizer, unknownToken } = load();
  const encode = (text: string) => {
    const { ids } = tokenizer.encode(text, { add_special_tokens: false });
    // The library returns undefined for unknown words of some tokenizers.
    return Int32Array.from(ids.flatMap((id) => id ?? unknownToken ?? []));
  };
  return texts.map((text) => encodeUpToLimit(options.prefix + text, options.maxTokens, encode));
}

/** Embeds a batch. The result is `[windows, dimensions]` in row-major order. */
export function embed({ tokenIds, lengths, width }: PackedWindows): Float32Array {
  const loaded = load();
  const vectors = new Float32Array(lengths.length * loaded.dimensions);
  lengths.forEach((length, row) => {
    const vector = vectors.subarray(row * loaded.dimensions, (row + 1) * loaded.dimensions);
    writeMean(vector, tokenIds.subarray(row * width, row * width + length), loaded);
    if (options.normalize ?? loaded.normalize) normalizeLength(vector);
  });
  return move(vectors) as Float32Array;
}

/** Writes the mean of the vectors of known tokens, each times its weight; zeros without any. Like model2vec. */
function writeMean(vector: Float32Array, ids: Int32Array, model: StaticModel): void {
  const { unknownToken, dropsUnknown, vectors, rows, weights } = model;
  const sum = new Float64Array(vector.length);
  let count = 0;
  for (const id of ids) {
    if (dropsUnknown && id === unknownToken) continue;
    count += 1;
    const start = (rows === undefined ? id : (rows[id] ?? 0)) * vector.length;
    const weight = weights === undefined ? 1 : (weights[id] ?? 1);
    for (let dimension = 0; dimension < sum.length; dimension += 1) {
      sum[dimension] = (sum[dimension] ?? 0) + weight * (vectors[start + dimension] ?? 0);
    }
  }
  if (count > 0) vector.set(sum.map((value) => value / count));
}

function normalizeLength(vector: Float32Array): void {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length > 0) vector.forEach((value, dimension) => (vector[dimension] = value / length));
}
