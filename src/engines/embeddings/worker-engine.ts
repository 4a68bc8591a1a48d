import { BatchScheduler, defaultMaxWaitingWindows } from './batching/batch-scheduler.js';
import { packWindows, type PackedWindows } from './batching/packed-windows.js';
import { TokenizationQueue } from './batching/tokenization-queue.js';
import { type EmbeddingEngine, type EmbeddingLimits, pickFrom, type TokenizedTexts } from './embedding-engine.js';
import type { EngineClient } from '../engine-client.js';
import { EngineFailedError } from '../engine-errors.js';
import { EngineState, type QueueLoad, type RetryDelays } from '../engine-state.js';
import { abortable } from './abortable.js';
import { WorkerPool } from './worker-pool.js';

/** What an engine needs to know of its loaded model. */
export interface ModelDescription extends EmbeddingLimits {
  /** Ids of tokens without a meaning of their own, such as the one for unknown words. */
  readonly specialTokens: readonly number[];
}

/** The functions that the worker module of an engine exports. */
// Not an interface, which has no index signature.
export type ModelWorker = {
  describe: () => ModelDescription | Promise<ModelDescription>;
  /** Returns the token ids of each text. A text over the limit may be cut, but not below it. */
  tokenize: (texts: readonly string[]) => Int32Array[] | Promise<Int32Array[]>;
  /** Embeds a batch. The result is `[windows, dimensions]` in row-major order. */
  embed: (windows: PackedWindows) => Float32Array | Promise<Float32Array>;
};

/** Overrides for tests. */
export interface WorkerEngineSettings {
  /** Shared by all requests. Requests beyond it fail with EngineBusyError. */
  readonly maxWaitingTexts?: number;
  readonly retryDelays?: RetryDelays;
  /** The module that workers run. Tests replace it to simulate failures. */
  readonly workerUrl?: URL;
}

interface WorkerEngineOptions extends WorkerEngineSettings {
  /** For the log. */
  readonly name: string;
  readonly threads: number;
  readonly workerUrl: URL;
  /** Passed to each worker when it starts. */
  readonly workerData: unknown;
}

/** Texts as token ids. */
class WorkerTokens implements TokenizedTexts {
  readonly tokenCounts: readonly number[];
  readonly hasUnknownText: boolean;

  constructor(
    readonly tokenIds: readonly Int32Array[],
    private readonly specialTokens: readonly number[],
  ) {
    this.tokenCounts = tokenIds.map((ids) => ids.length);
    this.hasUnknownText = tokenIds.some((ids) => ids.every((id) => specialTokens.includes(id)));
  }

  pick(indexes: readonly number[]): WorkerTokens {
    return new WorkerTokens(pickFrom(this.tokenIds, indexes), this.specialTokens);
  }
}

/**
 * Runs a model whose tokenizer and vectors are all in worker threads. Nothing is downloaded or loaded, and no thread is
 * started, before the first use.
 */
export class WorkerEngine implements EmbeddingEngine {
  knownLimits: EmbeddingLimits | undefined;
  private readonly workers: WorkerPool<ModelWorker>;
  private readonly scheduler: BatchScheduler<Int32Array>;
  private readonly tokenization: TokenizationQueue<Int32Array>;
  private description: Promise<ModelDescription> | undefined;
  private readonly engineState: EngineState;

  constructor(options: WorkerEngineOptions) {
    const { name, threads, workerUrl, workerData, maxWaitingTexts = defaultMaxWaitingWindows } = options;
    this.engineState = new EngineState(name, () => this.selfTest(), options.retryDelays);
    this.workers = new WorkerPool({ threads, workerUrl, workerData });
    this.scheduler = new BatchScheduler((texts) => this.runBatch(texts), {
      parallelBatches: threads,
      maxWaitingWindows: maxWaitingTexts,
    });
    this.tokenization = new TokenizationQueue((texts) => this.workers.run('tokenize', texts));
  }

  /**
   * Loads the model in one thread, which also downloads the files that the others need. After a failure, the next call
   * tries again.
   *
   * @throws EngineFailedError, or the signal's reason
   */
  async describe(signal: AbortSignal): Promise<ModelDescription> {
    this.description ??= this.loadModel();
    return abortable(this.description, signal);
  }

  /** @throws EngineBusyError, EngineFailedError, or the signal's reason */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts> {
    const { specialTokens } = await this.describe(signal);
    const tokenIds = await this.tokenization
      .tokenize(texts, signal, client)
      .catch((error) => this.recordFailure(error));
    return new WorkerTokens(tokenIds, specialTokens);
  }

  /**
   * Returns one vector per text, in order.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason; RangeError for a text with more than
   *   `maxTokensPerText` tokens; TypeError for tokens of another engine
   */
  async embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]> {
    if (!(texts instanceof WorkerTokens)) throw new TypeError('These tokens belong to another engine.');
    const { maxTokensPerText } = await this.describe(signal);
    if (texts.tokenCounts.some((count) => count > maxTokensPerText)) {
      throw new RangeError(`A text has more than ${maxTokensPerText} tokens.`);
    }
    const vectors = await this.scheduler
      .embed(texts.tokenIds, signal, client)
      .catch((error) => this.recordFailure(error));
    if (vectors.length > 0) this.engineState.markReady();
    return vectors;
  }

  state(): ReturnType<EmbeddingEngine['state']> {
    return this.engineState.value;
  }

  load(): QueueLoad {
    return this.scheduler.load();
  }

  async close(): Promise<void> {
    this.engineState.close();
    this.scheduler.close();
    await this.workers.close();
  }

  private async loadModel(): Promise<ModelDescription> {
    try {
      const description = await this.workers.run('describe', undefined);
      this.knownLimits = description;
      return description;
    } catch (error) {
      this.description = undefined;
      return this.recordFailure(error);
    }
  }

  private async selfTest(): Promise<void> {
    const { signal } = new AbortController();
    await this.embed(await this.tokenize(['text'], signal), signal);
  }

  private runBatch(texts: readonly Int32Array[]): Promise<Float32Array> {
    const task = packWindows(texts);
    return this.workers.run('embed', task, [task.tokenIds.buffer, task.lengths.buffer]);
  }

  private recordFailure(error: unknown): never {
    if (error instanceof EngineFailedError) this.engineState.markFailed();
    throw error;
  }
}
