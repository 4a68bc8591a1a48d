import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { z } from 'zod';
import { errorMessage } from '../../../common/errors/error-utils.js';
import { readTensor, readTensorEntries, type TensorEntry } from './safetensors.js';

/** The part of the tokenizer that is used. The package's own types can't be resolved by Node's rules. */
interface TextTokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: (number | undefined)[] };
  get_vocab(withAddedTokens: boolean): Map<string, number>;
}

const TypedTokenizer = Tokenizer as unknown as new (tokenizer: unknown, config: object) => TextTokenizer;

/** A tokenizer, and a vector for each of its tokens. */
export interface StaticModel {
  readonly tokenizer: TextTokenizer;
  /** Stands for unknown words; undefined if the tokenizer has none. */
  readonly unknownToken: number | undefined;
  /** Whether it's dropped from texts. As in model2vec, unigram tokenizers keep it. */
  readonly dropsUnknown: boolean;
  readonly dimensions: number;
  /** `[rows, dimensions]` in row-major order. */
  readonly vectors: Float32Array;
  /** The row of each token; undefined if it is the token's id. */
  readonly rows: Float32Array | undefined;
  /** The factor of each token; undefined if all are 1. */
  readonly weights: Float32Array | undefined;
  /** Whether vectors are scaled to length 1, according to the model. */
  readonly normalize: boolean;
}

/** Where models keep their files. */
interface Layout {
  readonly config: string;
  readonly matrix: string;
  readonly tokenizer: string;
}

const layouts: readonly Layout[] = [
  { config: 'config.json', matrix: 'model.safetensors', tokenizer: 'tokenizer.json' },
  { config: 'config_sentence_transformers.json', matrix: 'model.safetensors', tokenizer: 'tokenizer.json' },
  {
    config: 'config_sentence_transformers.json',
    matrix: '0_StaticEmbedding/model.safetensors',
    tokenizer: '0_StaticEmbedding/tokenizer.json',
  },
];

/** Names of the matrix in model2vec and in sentence-transformers. */
const matrixNames = ['embeddings', 'embedding.weight'];

const tokenizerSchema = z.looseObject({
  model: z.looseObject({ unk_token: z.string().nullish(), unk_id: z.int().nullish() }),
});
const configSchema = z.object({ normalize: z.boolean().nullish() });
const modulesSchema = z.array(z.object({ type: z.string() })).catch([]);

interface Checked extends Omit<StaticModel, 'vectors' | 'rows' | 'weights'> {
  readonly file: string;
  readonly matrix: TensorEntry;
  readonly mapping: TensorEntry | undefined;
  readonly factors: TensorEntry | undefined;
}

/**
 * Finds a problem with a model's folder. Reads everything but the values of the matrix.
 *
 * @returns the predicate of a sentence about the field `source`, or undefined if there's no problem
 */
export function findStaticModelProblem(folder: string): string | undefined {
  try {
    checkModel(folder);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** @throws Error with what is wrong, like `findStaticModelProblem` */
export function loadStaticModel(folder: string): StaticModel {
  const { file, matrix, mapping, factors, ...model } = checkModel(folder);
  return inFile(folder, file, (place) => {
    const vectors = readTensor(place, matrix);
    const rows = mapping && readTensor(place, mapping);
    const rowCount = vectors.length / model.dimensions;
    if (rows?.some((row) => !(row >= 0 && row < rowCount))) throw new Error('maps tokens to rows that do not exist');
    return { ...model, vectors, rows, weights: factors && readTensor(place, factors) };
  });
}

function checkModel(folder: string): Checked {
  const layout = layouts.find(({ config, matrix, tokenizer }) =>
    [config, matrix, tokenizer].every((file) => existsSync(path.join(folder, file))),
  );
  if (layout === undefined) {
    throw new Error(
      `is the folder ${folder}, which lacks the files of a static model: config.json, tokenizer.json and model.safetensors`,
    );
  }
  const config = inFile(folder, layout.config, (file) => configSchema.parse(readJson(file)));
  const modules = existsSync(path.join(folder, 'modules.json'))
    ? inFile(folder, 'modules.json', (file) => modulesSchema.parse(readJson(file)))
    : [];
  const { json, tokenizer } = inFile(folder, layout.tokenizer, (file) => {
    const json = tokenizerSchema.parse(readJson(file));
    return { json, tokenizer: new TypedTokenizer(json, {}) };
  });
  const ids = tokenizer.get_vocab(true);
  const tokenCount = Array.from(ids.values()).reduce((max, id) => Math.max(max, id + 1), 0);
  const tensors = inFile(folder, layout.matrix, (file) => checkTensors(readTensorEntries(file), tokenCount));
  const { unk_token: unknown, unk_id: unknownId } = json.model;
  const dropsUnknown = typeof unknown === 'string';
  return {
    ...tensors,
    file: layout.matrix,
    tokenizer,
    unknownToken: dropsUnknown ? ids.get(unknown) : (unknownId ?? undefined),
    dropsUnknown,
    normalize: config.normalize ?? modules.some(({ type }) => type.endsWith('.Normalize')),
  };
}

function checkTensors(tensors: Map<string, TensorEntry>, tokenCount: number) {
  const matrix = matrixNames.map((name) => tensors.get(name)).find((entry) => entry !== undefined);
  const [rowCount = 0, dimensions = 0, ...more] = matrix?.shape ?? [];
  if (matrix === undefined || rowCount === 0 || dimensions === 0 || more.length > 0) {
    throw new Error(`has no matrix named ${matrixNames.join(' or ')} with values of 64, 32 or 16 bits`);
  }
  const [mapping, factors] = [tensors.get('mapping'), tensors.get('weights')];
  const isLongEnough = (entry: TensorEntry | undefined) => entry === undefined || entry.length >= tokenCount;
  if ((mapping === undefined && rowCount < tokenCount) || ![mapping, factors].every(isLongEnough)) {
    throw new Error(`has fewer rows than the tokenizer has tokens, which are ${tokenCount}`);
  }
  return { matrix, mapping, factors, dimensions };
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Adds the name of the file to errors. */
function inFile<Result>(folder: string, name: string, use: (file: string) => Result): Result {
  try {
    return use(path.join(folder, name));
  } catch (error) {
    const reason = error instanceof z.ZodError || error instanceof SyntaxError ? 'is not valid' : errorMessage(error);
    throw new Error(`is the folder ${folder}, whose ${name} ${reason}`, { cause: error });
  }
}
