import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { EngineFailedError } from '../engine-errors.js';
import { packWindows, unpackTokens, type TokenizeResult, type TokenizeTask } from './worker-tasks.js';

export interface WorkerPoolOptions {
  readonly threads: number;
  readonly modelFolder: string;
  /** The module that each thread runs. */
  readonly workerUrl: URL;
}

/** Threads that embed and tokenize. They start at the first task and then stay. */
export class WorkerPool {
  private piscina: Piscina | undefined;
  private closed = false;
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * Embeds windows together: `[windows, 512]` as one array.
   *
   * @throws EngineFailedError when the model cannot be loaded or run, or the thread dies.
   */
  async embed(windows: readonly Uint16Array[]): Promise<Float32Array> {
    const task = packWindows(windows);
    return this.run((piscina) =>
      piscina.run(task, { transferList: [task.tokenIds.buffer, task.lengths.buffer] }),
    ) as Promise<Float32Array>;
  }

  /** Ids of each text's tokens. @throws EngineFailedError as {@link embed} does. */
  async tokenize(task: TokenizeTask): Promise<Uint16Array[]> {
    const result = await this.run((piscina) => piscina.run(task, { name: 'tokenize' }));
    return unpackTokens(result as TokenizeResult);
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

  private async run(task: (piscina: Piscina) => Promise<unknown>): Promise<unknown> {
    if (this.closed) throw new EngineFailedError('The embeddings engine is closed.');
    const piscina = (this.piscina ??= this.start());
    const running = task(piscina);
    this.running.add(running);
    try {
      return await running;
    } catch (cause) {
      this.replaceIfDead(piscina);
      throw new EngineFailedError('The embeddings model could not be loaded or run.', { cause });
    } finally {
      this.running.delete(running);
    }
  }

  private start(): Piscina {
    const { threads, modelFolder, workerUrl } = this.options;
    const piscina = new Piscina({
      filename: fileURLToPath(workerUrl),
      minThreads: threads,
      maxThreads: threads,
      workerData: { modelFolder },
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
