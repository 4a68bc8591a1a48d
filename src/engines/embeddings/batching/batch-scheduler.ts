import { fitsFairShare } from '../../../common/fair-share.js';
import { type EngineClient, ownClient } from '../../engine-client.js';
import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { type PendingWindow, type QueuedRequest, type TokenIds, WindowQueue } from './window-queue.js';

/** Embeds windows together: `[windows, dimensions]` as one array. */
export type RunBatch<Window extends TokenIds> = (windows: readonly Window[]) => Promise<Float32Array>;

export interface BatchSchedulerOptions {
  /** Batches that run at the same time. */
  readonly parallelBatches: number;
  /** Windows that may wait. Organizations share them; one that has none waiting may always add a request. */
  readonly maxWaitingWindows: number;
}

interface EmbedRequest<Window extends TokenIds> extends QueuedRequest<EmbedRequest<Window>, Window> {
  readonly vectors: Float32Array[];
  missing: number;
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** Larger ones are hardly faster, and leave fewer waiting windows to pick those of like length from: more padding. */
const MAX_BATCH_WINDOWS = 16;
/** Larger batches are hardly faster by token, and whoever comes next waits longer. */
const MAX_BATCH_TOKENS = 1536;
const MAX_RETRY_AFTER_SECONDS = 60;
/** What is assumed of one worker before the first batch has been measured. */
const INITIAL_TOKENS_PER_SECOND = 5_000;

/** Packs the windows of concurrent requests into batches and keeps every worker busy with one. */
export class BatchScheduler<Window extends TokenIds> {
  private readonly queue = new WindowQueue<Window, EmbedRequest<Window>>();
  private readonly unanswered = new Set<EmbedRequest<Window>>();
  private running = 0;
  private dispatching: NodeJS.Immediate | undefined;
  private tokensPerSecond = INITIAL_TOKENS_PER_SECOND;

  constructor(
    private readonly runBatch: RunBatch<Window>,
    private readonly options: BatchSchedulerOptions,
  ) {}

  /**
   * One vector per window, in order.
   *
   * @throws EngineBusyError immediately when the windows exceed the organization's share of the queue; what `runBatch`
   *   throws; the signal's reason.
   */
  async embed(
    windows: readonly Window[],
    signal: AbortSignal,
    { organizationId }: EngineClient = ownClient,
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
      this.unanswered.add(request);
      this.queue.add(request);
      this.dispatchSoon();
    });
  }

  /** Rejects all that is not answered yet. */
  close(): void {
    const reason = new EngineFailedError('The engine was closed.');
    for (const request of this.unanswered) this.fail(request, reason);
  }

  /** Waits for the end of this turn of the event loop, so that requests that arrive together share a batch. */
  private dispatchSoon(): void {
    this.dispatching ??= setImmediate(() => {
      this.dispatching = undefined;
      this.dispatch();
    });
  }

  private dispatch(): void {
    for (let free = this.options.parallelBatches - this.running; free > 0; free -= 1) {
      // Few windows are spread over the free workers.
      const fairShare = Math.ceil(this.queue.windowCount / free);
      const maxWindows = Math.min(MAX_BATCH_WINDOWS, fairShare);
      const batch = this.queue.takeBatch({ maxWindows, maxTokens: MAX_BATCH_TOKENS });
      if (batch.length === 0) return;
      this.running += 1;
      void this.run(batch).finally(() => {
        this.running -= 1;
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
    request.missing -= 1;
    if (request.missing > 0) return;
    this.unanswered.delete(request);
    request.resolve(request.vectors);
  }

  private fail(request: EmbedRequest<Window>, reason: unknown): void {
    this.unanswered.delete(request);
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
    return Math.min(MAX_RETRY_AFTER_SECONDS, Math.max(1, Math.ceil(seconds)));
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
    missing: windows.length,
    ...outcome,
  };
  request.waiting = windows.map((tokenIds, index) => ({ request, index, tokenIds }));
  return request;
}
