import { workerData } from 'node:worker_threads';
import { move } from 'piscina';
import type { PackedWindows } from '../batching/packed-windows.js';
import { encodeUpToLimit } from '../encode-up-to-limit.js';
import type { ModelDescription } from '../worker-engine.js';
import { type LoadedModel, loadModel, maxTokensOf, type TransformersWorkerSettings } from './load-model.js';
import { poolTokens } from './pool-tokens.js';

const settings = workerData as TransformersWorkerSettings;
let loading: Promise<LoadedModel> | undefined;

/** Returns the model's limits and special tokens. The length of vectors is taken from a sample. */
export async function describe(): Promise<ModelDescription> {
  const loaded = await load();
  const vector = await run(loaded, { tokenIds: Int32Array.of(0), lengths: Uint16Array.of(1), width: 1 });
  const specialTokens = loaded.tokenizer.all_special_ids;
  return { dimensions: vector.length, maxTokensPerText: maxTokens(loaded), specialTokens };
}

/** Returns the token ids of each text, including the prefix and special tokens. A text over the limit is cut. */
export async function tokenize(texts: readonly string[]): Promise<Int32Array[]> {
  const loaded = await load();
  const limit = maxTokens(loaded);
  return texts.map((text) => encodeUpToLimit(settings.options.prefix + text, limit, (part) => encode(loaded, part)));
}

function encode({ tokenizer }: LoadedModel, text: string): Int32Array<ArrayBuffer> {
  return Int32Array.from(tokenizer.encode(text), (id) => id ?? tokenizer.unk_token_id ?? 0);
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
  const outputs = await model({ input_ids: ids, attention_mask: mask });
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
  const modelLimit = maxTokensOf({ ...model.config, model_max_length: tokenizer.model_max_length });
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
