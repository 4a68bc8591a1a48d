import { fileURLToPath } from 'node:url';
import type { Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { errorMessage } from '../../common/errors/error-utils.js';
import { EngineFailedError } from '../engine-errors.js';

// onnxruntime would send statistics about models and the machine to Microsoft. It reads the variable in native code, which
// sees what the main thread sets, and before threads could read the environment at the same time.
process.env['ORT_DISABLE_TELEMETRY'] = '1';

export interface WorkerPoolOptions {
  readonly threads: number;
  /** The module that each thread runs. */
  readonly workerUrl: URL;
  /** Passed to each thread when it starts. */
  readonly workerData: unknown;
}

/** A worker module exports functions with one parameter. */
type WorkerModule = Record<string, (task: never) => unknown>;
type TaskOf<Run extends (task: never) => unknown> = Parameters<Run>[0];
type ResultOf<Run extends (task: never) => unknown> = Awaited<ReturnType<Run>>;

/** Threads that run a model. They start with the first task and keep running. */
export class WorkerPool<Worker extends WorkerModule> {
  private piscina: Piscina | undefined;
  private isClosed = false;
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Calls an exported function of the worker module in one of the threads.
   *
   * @param transferList buffers of the task to move to the thread instead of copying them
   * @throws EngineFailedError if the function throws or the thread dies
   */
  async run<Name extends string & keyof Worker>(
    name: Name,
    task: TaskOf<Worker[Name]>,
    transferList: Transferable[] = [],
  ): Promise<ResultOf<Worker[Name]>> {
    if (this.isClosed) throw new EngineFailedError('The engine is closed.');
    const piscina = (this.piscina ??= this.start());
    const running = piscina.run(task, { name, transferList }) as Promise<ResultOf<Worker[Name]>>;
    this.running.add(running);
    try {
      return await running;
    } catch (cause) {
      this.discardIfDead(piscina);
      throw new EngineFailedError(`The model could not be loaded or run: ${errorMessage(cause)}`, { cause });
    } finally {
      this.running.delete(running);
    }
  }

  /**
   * Rejects new tasks, and ends the threads after their current ones. Terminating a thread inside onnxruntime's native
   * code would crash the process.
   */
  async close(): Promise<void> {
    this.isClosed = true;
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
    // Emitted if an idle thread dies; Piscina starts another. Without a listener, the process would exit.
    piscina.on('error', () => this.discardIfDead(piscina));
    return piscina;
  }

  /** If threads die while starting, Piscina stops replacing them, and its tasks would wait forever. */
  private discardIfDead(piscina: Piscina): void {
    if (piscina.threads.length > 0 || this.piscina !== piscina) return;
    this.piscina = undefined;
    void piscina.destroy();
  }
}
