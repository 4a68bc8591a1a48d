import { fileURLToPath } from 'node:url';
import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { errorMessage } from '../../common/errors/error-utils.js';
import { EngineFailedError } from '../engine-errors.js';

export interface WorkerPoolOptions {
  readonly threads: number;
  /** The module that each thread runs. */
  readonly workerUrl: URL;
  /** Given to each thread at its start. */
  readonly workerData: unknown;
}

/** What a worker module exports: functions that take one argument, each called by its name. */
type WorkerModule = Record<string, (task: never) => unknown>;
type TaskOf<Run extends (task: never) => unknown> = Parameters<Run>[0];
type ResultOf<Run extends (task: never) => unknown> = Awaited<ReturnType<Run>>;

/** Threads that run a model. They start at the first task and then stay. */
export class WorkerPool<Worker extends WorkerModule> {
  private piscina: Piscina | undefined;
  private closed = false;
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Has a thread call an exported function of the worker module.
   *
   * @param transferList buffers of the task that are moved to the thread instead of being copied
   * @throws EngineFailedError when it throws, or the thread dies
   */
  async run<Name extends string & keyof Worker>(
    name: Name,
    task: TaskOf<Worker[Name]>,
    transferList: Transferable[] = [],
  ): Promise<ResultOf<Worker[Name]>> {
    if (this.closed) throw new EngineFailedError('The engine is closed.');
    const piscina = (this.piscina ??= this.start());
    const running = piscina.run(task, { name, transferList }) as Promise<ResultOf<Worker[Name]>>;
    this.running.add(running);
    try {
      return await running;
    } catch (cause) {
      this.replaceIfDead(piscina);
      throw new EngineFailedError(`The model could not be loaded or run: ${errorMessage(cause)}`, { cause });
    } finally {
      this.running.delete(running);
    }
  }

  /**
   * Ends the threads once they have finished what they run: ending one in the middle of onnxruntime's native code
   * would end the whole process. Later tasks are rejected.
   */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled(this.running);
    await this.piscina?.destroy();
  }

  private start(): Piscina {
    const { threads, workerUrl, workerData } = this.options;
    const piscina = new Piscina({
      filename: fileURLToPath(workerUrl),
      minThreads: threads,
      maxThreads: threads,
      workerData,
    });
    // The death of a thread without a task: piscina starts another; without a listener the process would end.
    piscina.on('error', () => this.replaceIfDead(piscina));
    return piscina;
  }

  /** Piscina gives up when new threads die as they start, and its tasks would wait for ever. */
  private replaceIfDead(piscina: Piscina): void {
    if (piscina.threads.length > 0 || this.piscina !== piscina) return;
    this.piscina = undefined;
    void piscina.destroy();
  }
}
