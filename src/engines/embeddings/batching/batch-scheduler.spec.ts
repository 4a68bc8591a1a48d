import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { BatchScheduler } from './batch-scheduler.js';

type Windows = readonly Uint16Array[];

const dimensions = 4;

/** Starts batches immediately. Tests decide when they end. */
class ManualWorkers {
  readonly started: Windows[] = [];
  private readonly outcomes: { resolve: (vectors: Float32Array) => void; reject: (error: Error) => void }[] = [];
  private onStart: () => void = () => undefined;

  readonly runBatch = (windows: Windows): Promise<Float32Array> => {
    this.started.push(windows);
    this.onStart();
    return new Promise((resolve, reject) => this.outcomes.push({ resolve, reject }));
  };

  /** Waits until `count` batches have started in total. */
  async waitUntilStarted(count: number): Promise<void> {
    while (this.started.length < count) await new Promise<void>((resolve) => (this.onStart = resolve));
  }

  /** Ends a batch with vectors that repeat the first token of their window. */
  finish(batch: number): void {
    const windows = this.started[batch] ?? [];
    const vectors = new Float32Array(windows.length * dimensions);
    windows.forEach((window, row) => vectors.fill(window[0] ?? 0, row * dimensions, (row + 1) * dimensions));
    this.outcomes[batch]?.resolve(vectors);
  }

  fail(batch: number, error: Error): void {
    this.outcomes[batch]?.reject(error);
  }
}

const never = new AbortController().signal;

function windowsOf(...firstTokens: number[]): Uint16Array[] {
  return firstTokens.map((token) => Uint16Array.of(token, 0, 0, 0));
}

function setUp(options = { parallelBatches: 1, maxWaitingWindows: 10 }): [BatchScheduler<Uint16Array>, ManualWorkers] {
  const workers = new ManualWorkers();
  return [new BatchScheduler(workers.runBatch, options), workers];
}

describe('BatchScheduler', () => {
  it('should batch requests that arrive together, and return to each request its own vectors in order', async () => {
    const [scheduler, workers] = setUp();
    const requests = [scheduler.embed(windowsOf(1, 2, 3), never), scheduler.embed(windowsOf(4), never)];
    await workers.waitUntilStarted(1);
    workers.finish(0);
    const values = (await Promise.all(requests)).map((vectors) => vectors.map((vector) => vector[0]));
    expect(values).toEqual([[1, 2, 3], [4]]);
    expect(workers.started).toHaveLength(1);
  });

  it('should spread a few windows over all free workers', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 2, maxWaitingWindows: 10 });
    const request = scheduler.embed(windowsOf(1, 2, 3, 4), never);
    await workers.waitUntilStarted(2);
    expect(workers.started.map((batch) => batch.length)).toEqual([2, 2]);
    workers.finish(1);
    workers.finish(0);
    expect((await request).map((vector) => vector[0])).toEqual([1, 2, 3, 4]);
  });

  it('should return immediately for a request without windows', async () => {
    const [scheduler, workers] = setUp();
    await expect(scheduler.embed([], never)).resolves.toEqual([]);
    expect(workers.started).toEqual([]);
  });

  it('should immediately reject a request that does not fit into the queue, and queue none of it', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 2 });
    const waiting = scheduler.embed(windowsOf(1), never);
    const error = await scheduler.embed(windowsOf(2, 3), never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EngineBusyError);
    expect((error as EngineBusyError).retryAfterSeconds).toBeGreaterThanOrEqual(1);
    await workers.waitUntilStarted(1);
    expect(workers.started[0]).toHaveLength(1);
    workers.finish(0);
    await waiting;
  });

  it('should accept a request larger than the queue if nothing else is waiting', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 2 });
    const request = scheduler.embed(windowsOf(1, 2, 3), never);
    await workers.waitUntilStarted(1);
    workers.finish(0);
    await expect(request).resolves.toHaveLength(3);
  });

  it('should drop the waiting windows of an aborted request and free their places', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 2 });
    const running = scheduler.embed(windowsOf(1), never);
    await workers.waitUntilStarted(1);
    const controller = new AbortController();
    const aborted = scheduler.embed(windowsOf(2, 3), controller.signal);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    const next = scheduler.embed(windowsOf(4, 5), never);
    workers.finish(0);
    await workers.waitUntilStarted(2);
    workers.finish(1);
    await Promise.all([running, next]);
    expect(new Set(workers.started[1]?.map((window) => window[0]))).toEqual(new Set([4, 5]));
  });

  it('should reject an aborted request while its batch is running, without affecting other requests', async () => {
    const [scheduler, workers] = setUp();
    const controller = new AbortController();
    const aborted = scheduler.embed(windowsOf(1), controller.signal);
    const other = scheduler.embed(windowsOf(2), never);
    await workers.waitUntilStarted(1);
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    workers.finish(0);
    expect((await other)[0]?.[0]).toBe(2);
  });

  it('should start nothing if the signal has already been aborted', async () => {
    const [scheduler, workers] = setUp();
    await expect(scheduler.embed(windowsOf(1), AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(workers.started).toEqual([]);
  });

  it('should reject only the requests of a failed batch', async () => {
    const [scheduler, workers] = setUp();
    const failed = scheduler.embed(windowsOf(1), never);
    await workers.waitUntilStarted(1);
    const later = scheduler.embed(windowsOf(2), never);
    workers.fail(0, new EngineFailedError('died'));
    await expect(failed).rejects.toThrow('died');
    await workers.waitUntilStarted(2);
    workers.finish(1);
    await expect(later).resolves.toHaveLength(1);
  });

  it('should reject running and waiting requests on close', async () => {
    const [scheduler, workers] = setUp();
    const running = scheduler.embed(windowsOf(1), never);
    await workers.waitUntilStarted(1);
    const waiting = scheduler.embed(windowsOf(2), never);
    scheduler.close();
    await expect(running).rejects.toBeInstanceOf(EngineFailedError);
    await expect(waiting).rejects.toBeInstanceOf(EngineFailedError);
  });

  it('should reject an organization that floods the queue, and serve another in the next batch', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 100 });
    const flood = { organizationId: 'flood', keyId: 'key' };
    const controller = new AbortController();
    const outcomes = Array.from({ length: 9 }, () =>
      scheduler.embed(windowsOf(...Array(10).keys()), controller.signal, flood).then(
        () => 'embedded',
        (error: unknown) => error,
      ),
    );
    await workers.waitUntilStarted(1);
    await expect(scheduler.embed(windowsOf(...Array(60).keys()), never, flood)).rejects.toBeInstanceOf(EngineBusyError);
    const other = scheduler.embed(windowsOf(7), never, { organizationId: 'other', keyId: 'key' });
    workers.finish(0);
    await workers.waitUntilStarted(2);
    workers.finish(1);
    expect((await other).map((vector) => vector[0])).toEqual([7]);
    controller.abort(new Error('done'));
    expect((await Promise.all(outcomes)).filter((outcome) => outcome instanceof EngineBusyError)).not.toHaveLength(0);
  });
});
