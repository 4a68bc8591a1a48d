import type { QueueLoad } from '../../engine-state.js';
import { fitsFairShare } from '../../../common/fair-share.js';
import { type EngineClient, systemClient } from '../../engine-client.js';
import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { type PendingWindow, type QueuedRequest, type TokenIds, WindowQueue } from './window-queue.js';

/** Embeds windows in one batch. The result is `[windows, dimensions]` in row-major order. */
export type RunBatch<Window extends TokenIds> = (windows: readonly Window[]) => Promise<Float32Array>;

export interface BatchSchedulerOptions {
  /** Number of batches that may run concurrently. */
  readonly parallelBatches: number;
  /** Shared by organizations. An organization without waiting windows may always add one request. */
  readonly maxWaitingWindows: number;
}

/** Windows that may wait for an engine. */
export const defaultMaxWaitingWindows = 6_144;

interface EmbedRequest<Window extends TokenIds> extends QueuedRequest<EmbedRequest<Window>, Window> {
  readonly vectors: Float32Array[];
  missingVectors: number;
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** Larger batches are hardly faster, and leave fewer windows of similar length for the next one: more padding. */
const maxBatchWindows = 16;
/** Larger batches are hardly faster per token, and newcomers wait longer. */
const maxBatchTokens = 1536;
const maxRetryAfterSeconds = 60;
/** Assumed throughput of a worker until the first batch has been measured. */
const initialTokensPerSecond = 5_000;

/** Combines the windows of concurrent requests into batches, and keeps every worker busy. */
export class BatchScheduler<Window extends TokenIds> {
  private readonly queue = new WindowQueue<Window, EmbedRequest<Window>>();
  private readonly pending = new Set<EmbedRequest<Window>>();
  private runningBatches = 0;
  private scheduledDispatch: NodeJS.Immediate | undefined;
  private tokensPerSecond = initialTokensPerSecond;

  constructor(
    private readonly runBatch: RunBatch<Window>,
    private readonly options: BatchSchedulerOptions,
  ) {}

  /**
   * Returns one vector per window, in order.
   *
   * @throws EngineBusyError immediately if the organization's share of the queue is full; errors of `runBatch`; the
   *   signal's reason
   */
  async embed(
    windows: readonly Window[],
    signal: AbortSignal,
    { organizationId }: EngineClient = systemClient,
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (windows.length === 0) return [];
    const used = this.queue.windowCount;
    const held = this.queue.windowCountOf(organizationId);
    const limit = this.options.maxWaitingWindows;
    if (held > 0 && !fitsFairShare({ limit, used, held, wanted: windows.length })) {
      throw new EngineBusyError(this.secondsToDrain());
    }
    return new Promise<Float32Array[]>((resolve, reject) => {
      const onAbort = (): void => this.fail(request, signal.reason);
      const settle = <Outcome>(outcome: (value: Outcome) => void): ((value: Outcome) => void) => {
        return (value) => {
          signal.removeEventListener('abort', onAbort);
          outcome(value);
        };
      };
      const outcome = { resolve: settle(resolve), reject: settle(reject) };
      const request = newRequest(organizationId, windows, outcome);
      signal.addEventListener('abort', onAbort, { once: true });
      this.pending.add(request);
      this.queue.add(request);
      this.dispatchSoon();
    });
  }

  load(): QueueLoad {
    const { runningBatches: busyWorkers, options } = this;
    return { waiting: this.queue.windowCount, busyWorkers, workers: options.parallelBatches };
  }

  /** Rejects all pending requests. */
  close(): void {
    const reason = new EngineFailedError('The engine is closed.');
    for (const request of this.pending) this.fail(request, reason);
  }

  /** Waits for the end of the current event loop iteration, so that requests that arrive together share a batch. */
  private dispatchSoon(): void {
    this.scheduledDispatch ??= setImmediate(() => {
      this.scheduledDispatch = undefined;
      this.dispatch();
    });
  }

  private dispatch(): void {
    for (let free = this.options.parallelBatches - this.runningBatches; free > 0; free -= 1) {
      // A few windows are spread over all free workers.
      const windowsPerWorker = Math.ceil(this.queue.windowCount / free);
      const maxWindows = Math.min(maxBatchWindows, windowsPerWorker);
      const batch = this.queue.takeBatch({ maxWindows, maxTokens: maxBatchTokens });
      if (batch.length === 0) return;
      this.runningBatches += 1;
      void this.run(batch).finally(() => {
        this.runningBatches -= 1;
        this.dispatchSoon();
      });
    }
  }

  private async run(batch: readonly PendingWindow<EmbedRequest<Window>, Window>[]): Promise<void> {
    const start = performance.now();
    try {
      const vectors = await this.runBatch(batch.map((window) => window.tokenIds));
      this.measure(batch, performance.now() - start);
      const dimensions = vectors.length / batch.length;
      batch.forEach((window, row) => this.deliver(window, vectors.slice(row * dimensions, (row + 1) * dimensions)));
    } catch (error) {
      for (const { request } of batch) this.fail(request, error);
    }
  }

  private deliver(window: PendingWindow<EmbedRequest<Window>, Window>, vector: Float32Array): void {
    const { request } = window;
    request.vectors[window.index] = vector;
    request.missingVectors -= 1;
    if (request.missingVectors > 0) return;
    this.pending.delete(request);
    request.resolve(request.vectors);
  }

  private fail(request: EmbedRequest<Window>, reason: unknown): void {
    this.pending.delete(request);
    this.queue.remove(request);
    request.reject(reason);
  }

  private measure(batch: readonly PendingWindow<EmbedRequest<Window>, Window>[], milliseconds: number): void {
    const tokens = batch.reduce((sum, window) => sum + window.tokenIds.length, 0);
    const measured = (1000 * tokens) / Math.max(milliseconds, 1);
    this.tokensPerSecond = 0.8 * this.tokensPerSecond + 0.2 * measured;
  }

  private secondsToDrain(): number {
    const seconds = this.queue.tokenCount / (this.tokensPerSecond * this.options.parallelBatches);
    return Math.min(maxRetryAfterSeconds, Math.max(1, Math.ceil(seconds)));
  }
}

function newRequest<Window extends TokenIds>(
  organizationId: string,
  windows: readonly Window[],
  outcome: Pick<EmbedRequest<Window>, 'resolve' | 'reject'>,
): EmbedRequest<Window> {
  const request: EmbedRequest<Window> = {
    organizationId,
    waiting: [],
    vectors: [],
    missingVectors: windows.length,
    ...outcome,
  };
  request.waiting = windows.map((tokenIds, index) => ({ request, index, tokenIds }));
  return request;
}
