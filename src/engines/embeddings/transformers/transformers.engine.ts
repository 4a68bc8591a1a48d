import type { TransformersOptions } from '../../../config/model-definition.js';
import { BatchScheduler } from '../batching/batch-scheduler.js';
import { packWindows } from '../batching/packed-windows.js';
import { TokenizationQueue } from '../batching/tokenization-queue.js';
import type { EmbeddingEngine, EmbeddingLimits, TokenizedTexts } from '../embedding-engine.js';
import type { EngineClient } from '../../engine-client.js';
import { EngineFailedError } from '../../engine-errors.js';
import { EngineState, type RetryDelays } from '../../engine-state.js';
import { abortable } from '../abortable.js';
import { WorkerPool } from '../worker-pool.js';
import type { TransformersWorkerSettings } from './load-model.js';

export interface TransformersEngineSettings {
  /** Source of models that aren't a folder. */
  readonly hubUrl?: string;
  /** Shared by all requests. Requests beyond it fail with EngineBusyError. */
  readonly maxWaitingTexts?: number;
  readonly retryDelays?: RetryDelays;
  /** The module that workers run. Tests replace it to simulate failures. */
  readonly workerUrl?: URL;
}

const defaultHubUrl = 'https://huggingface.co/';
const defaultMaxWaitingTexts = 6_144;

/** Texts as token ids. */
class TransformersTokens implements TokenizedTexts {
  readonly tokenCounts: readonly number[];

  constructor(readonly tokenIds: readonly Int32Array[]) {
    this.tokenCounts = tokenIds.map((ids) => ids.length);
  }
}

/**
 * Runs a sentence-transformers model in ONNX format with `@huggingface/transformers`. Nothing is downloaded or loaded, and
 * no thread is started, before the first use.
 */
export class TransformersEngine implements EmbeddingEngine {
  private readonly workers: WorkerPool<typeof import('./worker.js')>;
  private readonly scheduler: BatchScheduler<Int32Array>;
  private readonly tokenization: TokenizationQueue<Int32Array>;
  private limits: Promise<EmbeddingLimits> | undefined;
  private readonly engineState: EngineState;

  constructor(options: TransformersOptions, settings: TransformersEngineSettings = {}) {
    const { hubUrl = defaultHubUrl, maxWaitingTexts = defaultMaxWaitingTexts } = settings;
    this.engineState = new EngineState(`transformers (${options.source})`, () => this.selfTest(), settings.retryDelays);
    this.workers = new WorkerPool({
      threads: options.threads,
      workerUrl: settings.workerUrl ?? new URL('./worker.js', import.meta.url),
      workerData: { options, hubUrl } satisfies TransformersWorkerSettings,
    });
    this.scheduler = new BatchScheduler((texts) => this.runBatch(texts), {
      parallelBatches: options.threads,
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
  async describe(signal: AbortSignal): Promise<EmbeddingLimits> {
    this.limits ??= this.workers.run('describe', undefined).catch((error: unknown) => {
      this.limits = undefined;
      return this.recordFailure(error);
    });
    return abortable(this.limits, signal);
  }

  /** @throws EngineBusyError, EngineFailedError, or the signal's reason */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts> {
    await this.describe(signal);
    const tokenIds = await this.tokenization
      .tokenize(texts, signal, client)
      .catch((error) => this.recordFailure(error));
    return new TransformersTokens(tokenIds);
  }

  /**
   * Returns one vector per text, in order.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason; RangeError for a text with more than
   *   `maxTokensPerText` tokens; TypeError for tokens of another engine
   */
  async embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]> {
    if (!(texts instanceof TransformersTokens)) throw new TypeError('These tokens belong to another engine.');
    const { maxTokensPerText } = await this.describe(signal);
    if (texts.tokenCounts.some((count) => count > maxTokensPerText)) {
      throw new RangeError(`A text has more than ${maxTokensPerText} tokens.`);
    }
    const vectors = await this.scheduler
      .embed(texts.tokenIds, signal, client)
      .catch((error) => this.recordFailure(error));
    this.engineState.markReady();
    return vectors;
  }

  state(): ReturnType<EmbeddingEngine['state']> {
    return this.engineState.value;
  }

  async close(): Promise<void> {
    this.engineState.close();
    this.scheduler.close();
    await this.workers.close();
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
