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

const onnxruntimeErrorsOnly = 3;

const { modelFolder } = workerData as WorkerSettings;
let loading: Promise<LoadedModel> | undefined;
let tokenizer: Tokenizer | undefined;

/** Embeds a batch. The result is `[windows, 512]` in row-major order. */
export async function embed(task: PackedWindows): Promise<Float32Array> {
  const { runtime, session } = await load();
  const shape = [task.lengths.length, task.width];
  const outputs = await session.run({
    ids: new runtime.Tensor('int32', task.tokenIds, shape),
    mask: new runtime.Tensor('float32', paddingMask(task), shape),
  });
  const embedding = outputs['embedding'] as TypedTensor<'float32'>;
  // Memory of the runtime can't be transferred to another thread, but a copy can.
  const vectors = new Float32Array(embedding.data);
  embedding.dispose();
  return move(vectors) as Float32Array;
}

/** Tokenizes texts that would block the main thread for too long. */
export function tokenize(task: TokenizeTask): TokenizeResult {
  const loadedTokenizer = (tokenizer ??= new Tokenizer(readVocabulary(modelFolder)));
  return packTokens(task.texts.map((text) => loadedTokenizer.encode(text, task.maxTokens)));
}

/** After a failure, the next task tries again, because the cause may have been fixed. */
function load(): Promise<LoadedModel> {
  loading ??= loadModel().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function loadModel(): Promise<LoadedModel> {
  const graph = buildModelGraph(readModelWeights(modelFolder));
  const runtime = await import('onnxruntime-node');
  const session = await runtime.InferenceSession.create(graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    logSeverityLevel: onnxruntimeErrorsOnly,
  });
  return { runtime, session };
}

function paddingMask({ lengths, width }: PackedWindows): Float32Array {
  const mask = new Float32Array(lengths.length * width);
  lengths.forEach((length, row) => mask.fill(1, row * width, row * width + length));
  return mask;
}
