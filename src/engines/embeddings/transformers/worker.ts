import { workerData } from 'node:worker_threads';
import type { Tensor } from '@huggingface/transformers';
import { move } from 'piscina';
import type { PackedWindows } from '../batching/packed-windows.js';
import type { EmbeddingLimits } from '../embedding-engine.js';
import { type LoadedModel, loadModel, maxTokensOf, type TransformersWorkerSettings } from './load-model.js';
import { poolTokens } from './pool-tokens.js';

/** Upper estimate. Tokens are shorter on average, except in text unlike anything the model was trained on. */
const charactersPerToken = 32;
/** Upper estimate of the tokens that exist only because a text was cut in the middle of a word. */
const maxTokensOfCutWord = 16;

const settings = workerData as TransformersWorkerSettings;
let loading: Promise<LoadedModel> | undefined;

/** Returns the model's limits. The length of vectors is taken from a sample. */
export async function describe(): Promise<EmbeddingLimits> {
  const loaded = await load();
  const vector = await run(loaded, { tokenIds: Int32Array.of(0), lengths: Uint16Array.of(1), width: 1 });
  return { dimensions: vector.length, maxTokensPerText: maxTokens(loaded) };
}

/** Returns the token ids of each text, including the prefix and special tokens. A text over the limit is cut. */
export async function tokenize(texts: readonly string[]): Promise<Int32Array[]> {
  const loaded = await load();
  return texts.map((text) => encodeUpToLimit(loaded, settings.options.prefix + text));
}

/** Tokenizes only as much as it takes to detect a text over the limit. All of a huge text could take minutes. */
function encodeUpToLimit(loaded: LoadedModel, text: string): Int32Array {
  const limit = maxTokens(loaded);
  let length = limit * charactersPerToken;
  let ids = encode(loaded, text.slice(0, length));
  while (length < text.length && ids.length <= limit + maxTokensOfCutWord) {
    length *= 2;
    ids = encode(loaded, text.slice(0, length));
  }
  return ids;
}

/** Some of the library's tokenizers return undefined for words outside the vocabulary. */
function encode({ tokenizer }: LoadedModel, text: string): Int32Array {
  return Int32Array.from(tokenizer.encode(text), (id: number | undefined) => id ?? tokenizer.unk_token_id ?? 0);
}

/** Embeds a batch. The result is `[windows, dimensions]` in row-major order. */
export async function embed(windows: PackedWindows): Promise<Float32Array> {
  return move(await run(await load(), windows)) as Float32Array;
}

async function run({ transformers, model }: LoadedModel, windows: PackedWindows): Promise<Float32Array<ArrayBuffer>> {
  const { tokenIds, lengths, width } = windows;
  const shape = [lengths.length, width];
  const ids = new transformers.Tensor('int64', BigInt64Array.from(tokenIds, BigInt), shape);
  const mask = new transformers.Tensor('int64', attentionMask(windows), shape);
  const outputs = (await model({ input_ids: ids, attention_mask: mask })) as Record<string, Tensor | undefined>;
  const hidden = outputs['last_hidden_state'] ?? outputs['token_embeddings'];
  const dimensions = hidden?.dims[2];
  if (hidden === undefined || dimensions === undefined) {
    const names = Object.keys(outputs).join(', ');
    throw new Error(`The model ${settings.options.source} has no output last_hidden_state. Its outputs: ${names}.`);
  }
  const values = hidden.to('float32').data as Float32Array;
  return poolTokens({ values, width, dimensions, lengths }, settings.options);
}

function attentionMask({ lengths, width }: PackedWindows): BigInt64Array {
  const mask = new BigInt64Array(lengths.length * width);
  lengths.forEach((length, row) => mask.fill(1n, row * width, row * width + length));
  return mask;
}

function maxTokens({ model, tokenizer }: LoadedModel): number {
  const config: object = model.config;
  const modelLimit = maxTokensOf({ ...config, model_max_length: tokenizer.model_max_length as unknown });
  return Math.min(modelLimit, settings.options.maxTokens);
}

/** After a failure, the next task tries again, because the cause may have been fixed. */
function load(): Promise<LoadedModel> {
  loading ??= loadModel(settings).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
