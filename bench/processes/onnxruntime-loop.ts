import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runTasks } from './run-tasks.js';

/** In the clients' order, or sorted by length, which avoids most padding. */
export type Order = 'given' | 'sorted';

export interface LoopSettings {
  sentences: string[];
  order: Order;
  threads: number;
  seconds: number;
}

export interface LoopResult {
  textsPerSecond: number;
  texts: number;
}

/** A thread sends a TextCount: 0 when it has loaded, then the result of each task. */
export interface ThreadTask {
  order: Order;
  seconds: number;
}
export type TextCount = number;

// Like the service.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

let threads: Worker[] = [];

/** Runs onnxruntime in a loop in each thread; threads are reused. */
async function measure({ sentences, order, threads: count, seconds }: LoopSettings): Promise<LoopResult> {
  if (threads.length === 0) threads = await startThreads(count, sentences);
  const start = performance.now();
  const counts = await Promise.all(threads.map((thread) => run(thread, { order, seconds })));
  const elapsedSeconds = (performance.now() - start) / 1000;
  const texts = counts.reduce((sum, count) => sum + count, 0);
  return { textsPerSecond: texts / elapsedSeconds, texts };
}

async function startThreads(count: number, sentences: string[]): Promise<Worker[]> {
  const url = new URL('./onnxruntime-thread.js', import.meta.url);
  const started = Array.from({ length: count }, () => new Worker(url, { workerData: sentences }));
  await Promise.all(started.map((thread) => once(thread, 'message')));
  return started;
}

async function run(thread: Worker, task: ThreadTask): Promise<TextCount> {
  const finished = once(thread, 'message');
  thread.postMessage(task);
  const [count] = (await finished) as [TextCount];
  return count;
}

runTasks(measure);
