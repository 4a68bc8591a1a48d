import { workerData } from 'node:worker_threads';
import type { Tensor } from '@huggingface/transformers';
import { move } from 'piscina';
import type { PackedWindows } from '../batching/packed-windows.js';
import type { EmbeddingLimits } from '../embedding-engine.js';
import { type LoadedModel, loadModel } from './load-model.js';
import { maxTokensOf, type ModelFacts } from './model-limits.js';
import { poolTokens } from './pool-tokens.js';
import type { TransformersWorkerSettings } from './worker-tasks.js';

/** Tokens are shorter on average, except in text that no model was trained on. */
const CHARACTERS_PER_TOKEN = 32;
/** So many tokens at most are only there because a text was cut in the middle of a word. */
const TOKENS_OF_CUT_WORD = 16;

const settings = workerData as TransformersWorkerSettings;
let loading: Promise<LoadedModel> | undefined;

/** What the model can do. The length of its vectors is seen from one. */
export async function describe(): Promise<EmbeddingLimits> {
  const loaded = await loadedModel();
  const vector = await run(loaded, { tokenIds: Int32Array.of(0), lengths: Uint16Array.of(1), width: 1 });
  return { dimensions: vector.length, maxTokensPerText: limitOf(loaded) };
}

/** Ids of each text's tokens, with the prefix and the special tokens; of a text that is too long, of its beginning. */
export async function tokenize(texts: readonly string[]): Promise<Int32Array[]> {
  const loaded = await loadedModel();
  return texts.map((text) => encodeUpToLimit(loaded, settings.options.prefix + text));
}

/** Reading the whole of a text that is far too long could take minutes, so it is read as far as is needed to know. */
function encodeUpToLimit(loaded: LoadedModel, text: string): Int32Array {
  const limit = limitOf(loaded);
  let length = limit * CHARACTERS_PER_TOKEN;
  let ids = encode(loaded, text.slice(0, length));
  while (length < text.length && ids.length <= limit + TOKENS_OF_CUT_WORD) {
    length *= 2;
    ids = encode(loaded, text.slice(0, length));
  }
  return ids;
}

/** Some tokenizers of the library leave words out of the vocabulary without an id. */
function encode({ tokenizer }: LoadedModel, text: string): Int32Array {
  return Int32Array.from(tokenizer.encode(text), (id: number | undefined) => id ?? tokenizer.unk_token_id ?? 0);
}

/** Embeds one batch: `[windows, dimensions]` as one array. */
export async function embed(windows: PackedWindows): Promise<Float32Array> {
  return move(await run(await loadedModel(), windows)) as Float32Array;
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
    throw new Error(`The model ${settings.options.source} has no output last_hidden_state; it has ${names}.`);
  }
  const values = hidden.to('float32').data as Float32Array;
  return poolTokens({ values, width, dimensions, lengths }, settings.options);
}

function attentionMask({ lengths, width }: PackedWindows): BigInt64Array {
  const mask = new BigInt64Array(lengths.length * width);
  lengths.forEach((length, row) => mask.fill(1n, row * width, row * width + length));
  return mask;
}

function limitOf({ model, tokenizer }: LoadedModel): number {
  const config: ModelFacts = model.config;
  const modelLimit = maxTokensOf({ ...config, model_max_length: tokenizer.model_max_length as unknown });
  return Math.min(modelLimit, settings.options.maxTokens);
}

/** A failed load is tried again at the next task, since the reason may be gone. */
function loadedModel(): Promise<LoadedModel> {
  loading ??= loadModel(settings).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
