import { workerData } from 'node:worker_threads';
import type { InferenceSession, TypedTensor } from 'onnxruntime-node';
import { move } from 'piscina';
import type { PackedWindows } from '../batching/packed-windows.js';
import { readVocabulary } from './model-files.js';
import { buildModelGraph } from './model-graph.js';
import { readModelWeights } from './model-weights.js';
import { Tokenizer } from './tokenizer.js';
import { packTokens, type TokenizeResult, type TokenizeTask, type WorkerSettings } from './worker-tasks.js';

type OnnxRuntime = typeof import('onnxruntime-node');

interface LoadedModel {
  readonly runtime: OnnxRuntime;
  readonly session: InferenceSession;
}

const ERRORS_ONLY = 3;

const { modelFolder } = workerData as WorkerSettings;
let model: Promise<LoadedModel> | undefined;
let tokenizer: Tokenizer | undefined;

/** Embeds one batch: `[windows, 512]` as one array. */
export async function embed(task: PackedWindows): Promise<Float32Array> {
  const { runtime, session } = await loadedModel();
  const shape = [task.lengths.length, task.width];
  const outputs = await session.run({
    ids: new runtime.Tensor('int32', task.tokenIds, shape),
    mask: new runtime.Tensor('float32', paddingMask(task), shape),
  });
  const embedding = outputs['embedding'] as TypedTensor<'float32'>;
  // The runtime's own memory cannot be handed to another thread, a copy can.
  const vectors = new Float32Array(embedding.data);
  embedding.dispose();
  return move(vectors) as Float32Array;
}

/** Tokenizes texts that would hold up the main thread. */
export function tokenize(task: TokenizeTask): TokenizeResult {
  const loaded = (tokenizer ??= new Tokenizer(readVocabulary(modelFolder)));
  return packTokens(task.texts.map((text) => loaded.encode(text, task.maxTokens)));
}

/** A failed load is tried again at the next task, since the reason may be gone. */
function loadedModel(): Promise<LoadedModel> {
  model ??= loadModel().catch((error: unknown) => {
    model = undefined;
    throw error;
  });
  return model;
}

async function loadModel(): Promise<LoadedModel> {
  const graph = buildModelGraph(readModelWeights(modelFolder));
  const runtime = await import('onnxruntime-node');
  const session = await runtime.InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: ERRORS_ONLY,
  });
  return { runtime, session };
}

function paddingMask({ lengths, width }: PackedWindows): Float32Array {
  const mask = new Float32Array(lengths.length * width);
  lengths.forEach((length, row) => mask.fill(1, row * width, row * width + length));
  return mask;
}
