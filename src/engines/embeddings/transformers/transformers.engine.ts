import type { TransformersOptions } from '../../../config/model-definition.js';
import { BatchScheduler } from '../batching/batch-scheduler.js';
import { packWindows } from '../batching/packed-windows.js';
import { TokenizationQueue } from '../batching/tokenization-queue.js';
import type { EmbeddingEngine, EmbeddingLimits, TokenizedTexts } from '../embedding-engine.js';
import type { EngineClient } from '../../engine-client.js';
import { EngineFailedError } from '../../engine-errors.js';
import { EngineState, type RetryPauses } from '../../engine-state.js';
import { unlessAborted } from '../unless-aborted.js';
import { WorkerPool } from '../worker-pool.js';
import type { TransformersWorkerSettings } from './worker-tasks.js';

export interface TransformersEngineSettings {
  /** Where models that are no folder come from. */
  readonly hubUrl?: string;
  /** Texts that may wait over all requests before new ones are answered "busy". */
  readonly maxWaitingTexts?: number;
  readonly retryPauses?: RetryPauses;
  /** The module that workers run, for tests of their failure. */
  readonly workerUrl?: URL;
}

const DEFAULT_HUB_URL = 'https://huggingface.co/';
const DEFAULT_MAX_WAITING_TEXTS = 6_144;

/** Texts as token ids of the model's vocabulary. */
class TransformersTokens implements TokenizedTexts {
  readonly tokenCounts: readonly number[];

  constructor(readonly tokenIds: readonly Int32Array[]) {
    this.tokenCounts = tokenIds.map((ids) => ids.length);
  }
}

/**
 * A sentence-transformers model in ONNX form, computed on this machine by `@huggingface/transformers`. Nothing is
 * loaded, no thread runs and nothing is asked of a hub before the first use.
 */
export class TransformersEngine implements EmbeddingEngine {
  private readonly workers: WorkerPool<typeof import('./worker.js')>;
  private readonly scheduler: BatchScheduler<Int32Array>;
  private readonly tokenization: TokenizationQueue<Int32Array>;
  private limits: Promise<EmbeddingLimits> | undefined;
  private readonly health: EngineState;

  constructor(options: TransformersOptions, settings: TransformersEngineSettings = {}) {
    const { hubUrl = DEFAULT_HUB_URL, maxWaitingTexts = DEFAULT_MAX_WAITING_TEXTS } = settings;
    this.health = new EngineState(`transformers (${options.source})`, () => this.tryOut(), settings.retryPauses);
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
   * Loads the model at the first call. One thread does: it also fetches the files that the others need.
   *
   * @throws EngineFailedError, after which the next call tries again; the signal's reason
   */
  async describe(signal: AbortSignal): Promise<EmbeddingLimits> {
    this.limits ??= this.workers.run('describe', undefined).catch((error: unknown) => {
      this.limits = undefined;
      return this.rethrow(error);
    });
    return unlessAborted(this.limits, signal);
  }

  /** @throws EngineBusyError, EngineFailedError, or the signal's reason */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts> {
    await this.describe(signal);
    const tokenIds = await this.tokenization.tokenize(texts, signal, client).catch((error) => this.rethrow(error));
    return new TransformersTokens(tokenIds);
  }

  /**
   * One vector for each text, in order.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason; RangeError for a text with more tokens than
   *   the model can see; TypeError for another engine's tokens
   */
  async embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]> {
    if (!(texts instanceof TransformersTokens)) throw new TypeError('Tokens of another engine.');
    const { maxTokensPerText } = await this.describe(signal);
    if (texts.tokenCounts.some((count) => count > maxTokensPerText)) {
      throw new RangeError(`A text has more than ${maxTokensPerText} tokens.`);
    }
    const vectors = await this.scheduler.embed(texts.tokenIds, signal, client).catch((error) => this.rethrow(error));
    this.health.succeed();
    return vectors;
  }

  state(): ReturnType<EmbeddingEngine['state']> {
    return this.health.value;
  }

  async close(): Promise<void> {
    this.health.close();
    this.scheduler.close();
    await this.workers.close();
  }

  private async tryOut(): Promise<void> {
    const { signal } = new AbortController();
    await this.embed(await this.tokenize(['text'], signal), signal);
  }

  private runBatch(texts: readonly Int32Array[]): Promise<Float32Array> {
    const task = packWindows(texts);
    return this.workers.run('embed', task, [task.tokenIds.buffer, task.lengths.buffer]);
  }

  private rethrow(error: unknown): never {
    if (error instanceof EngineFailedError) this.health.fail();
    throw error;
  }
}
