import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { packWindows } from '../../src/engines/embeddings/batching/packed-windows.js';
import {
  defaultModelFolder,
  readVocabulary,
} from '../../src/engines/embeddings/universal-sentence-encoder/model-files.js';
import { buildModelGraph } from '../../src/engines/embeddings/universal-sentence-encoder/model-graph.js';
import { maxTokensPerText } from '../../src/engines/embeddings/universal-sentence-encoder/model-shape.js';
import { readModelWeights } from '../../src/engines/embeddings/universal-sentence-encoder/model-weights.js';
import { Tokenizer } from '../../src/engines/embeddings/universal-sentence-encoder/tokenizer.js';
import type { Order, TextCount, ThreadTask } from './onnxruntime-loop.js';

const batchSize = 32;

interface Batch {
  size: number;
  inputs: Record<'ids' | 'mask', Tensor>;
}

const session = await InferenceSession.create(buildModelGraph(readModelWeights(defaultModelFolder())), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});
const tokenizer = new Tokenizer(readVocabulary(defaultModelFolder()));
const windows = (workerData as string[]).map((sentence) => tokenizer.encode(sentence, maxTokensPerText));
const batches: Record<Order, Batch[]> = {
  given: makeBatches(windows),
  sorted: makeBatches(windows.toSorted((left, right) => left.length - right.length)),
};
let next = 0;

/** Tokenizes and packs everything in advance, so that only onnxruntime is measured. */
function makeBatches(all: readonly Uint16Array[]): Batch[] {
  const count = Math.floor(all.length / batchSize);
  return Array.from({ length: count }, (_, index) => packBatch(all.slice(index * batchSize, (index + 1) * batchSize)));
}

function packBatch(members: readonly Uint16Array[]): Batch {
  const { tokenIds, lengths, width } = packWindows(members);
  const mask = new Float32Array(tokenIds.length);
  lengths.forEach((length, row) => mask.fill(1, row * width, row * width + length));
  const shape = [lengths.length, width];
  return {
    size: lengths.length,
    inputs: { ids: new Tensor('int32', tokenIds, shape), mask: new Tensor('float32', mask, shape) },
  };
}

async function run({ order, seconds }: ThreadTask): Promise<TextCount> {
  const end = performance.now() + seconds * 1000;
  let texts = 0;
  while (performance.now() < end) {
    const batch = batches[order][next++ % batches[order].length];
    if (batch === undefined) throw new Error('There are fewer sentences than fit in a batch.');
    await session.run(batch.inputs);
    texts += batch.size;
  }
  return texts;
}

parentPort?.on('message', (task: ThreadTask) => {
  void run(task).then((texts) => parentPort?.postMessage(texts));
});
parentPort?.postMessage(0);
