import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { BatchScheduler } from './batch-scheduler.js';

type Windows = readonly Uint16Array[];

const DIMENSIONS = 4;

/** Stands for the workers: batches start at once and end when the test says so. */
class ManualWorkers {
  readonly started: Windows[] = [];
  private readonly ends: { resolve: (vectors: Float32Array) => void; reject: (error: Error) => void }[] = [];
  private onStart: () => void = () => undefined;

  readonly runBatch = (windows: Windows): Promise<Float32Array> => {
    this.started.push(windows);
    this.onStart();
    return new Promise((resolve, reject) => this.ends.push({ resolve, reject }));
  };

  /** Waits until that many batches have started since the beginning. */
  async untilStarted(count: number): Promise<void> {
    while (this.started.length < count) await new Promise<void>((resolve) => (this.onStart = resolve));
  }

  /** The vector of a window holds its first token everywhere. */
  finish(batch: number): void {
    const windows = this.started[batch] ?? [];
    const vectors = new Float32Array(windows.length * DIMENSIONS);
    windows.forEach((window, row) => vectors.fill(window[0] ?? 0, row * DIMENSIONS, (row + 1) * DIMENSIONS));
    this.ends[batch]?.resolve(vectors);
  }

  fail(batch: number, error: Error): void {
    this.ends[batch]?.reject(error);
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
  it('should put requests that arrive together into one batch and give each its own vectors in order', async () => {
    const [scheduler, workers] = setUp();
    const answers = [scheduler.embed(windowsOf(1, 2, 3), never), scheduler.embed(windowsOf(4), never)];
    await workers.untilStarted(1);
    workers.finish(0);
    const values = (await Promise.all(answers)).map((vectors) => vectors.map((vector) => vector[0]));
    expect(values).toEqual([[1, 2, 3], [4]]);
    expect(workers.started).toHaveLength(1);
  });

  it('should spread few windows over all free workers', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 2, maxWaitingWindows: 10 });
    const answer = scheduler.embed(windowsOf(1, 2, 3, 4), never);
    await workers.untilStarted(2);
    expect(workers.started.map((batch) => batch.length)).toEqual([2, 2]);
    workers.finish(1);
    workers.finish(0);
    expect((await answer).map((vector) => vector[0])).toEqual([1, 2, 3, 4]);
  });

  it('should answer a request without windows at once', async () => {
    const [scheduler, workers] = setUp();
    await expect(scheduler.embed([], never)).resolves.toEqual([]);
    expect(workers.started).toEqual([]);
  });

  it('should refuse a request that does not fit in the queue at once, and leave nothing of it behind', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 2 });
    const waiting = scheduler.embed(windowsOf(1), never);
    const refusal = await scheduler.embed(windowsOf(2, 3), never).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EngineBusyError);
    expect((refusal as EngineBusyError).retryAfterSeconds).toBeGreaterThanOrEqual(1);
    await workers.untilStarted(1);
    expect(workers.started[0]).toHaveLength(1);
    workers.finish(0);
    await waiting;
  });

  it('should take a request larger than the queue when nothing else waits', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 2 });
    const answer = scheduler.embed(windowsOf(1, 2, 3), never);
    await workers.untilStarted(1);
    workers.finish(0);
    await expect(answer).resolves.toHaveLength(3);
  });

  it('should drop the waiting windows of an aborted request and free their place', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 2 });
    const running = scheduler.embed(windowsOf(1), never);
    await workers.untilStarted(1);
    const controller = new AbortController();
    const aborted = scheduler.embed(windowsOf(2, 3), controller.signal);
    controller.abort(new Error('hung up'));
    await expect(aborted).rejects.toThrow('hung up');
    const next = scheduler.embed(windowsOf(4, 5), never);
    workers.finish(0);
    await workers.untilStarted(2);
    workers.finish(1);
    await Promise.all([running, next]);
    expect(new Set(workers.started[1]?.map((window) => window[0]))).toEqual(new Set([4, 5]));
  });

  it('should reject an aborted request whose batch runs, and go on with the others', async () => {
    const [scheduler, workers] = setUp();
    const controller = new AbortController();
    const aborted = scheduler.embed(windowsOf(1), controller.signal);
    const other = scheduler.embed(windowsOf(2), never);
    await workers.untilStarted(1);
    controller.abort(new Error('hung up'));
    await expect(aborted).rejects.toThrow('hung up');
    workers.finish(0);
    expect((await other)[0]?.[0]).toBe(2);
  });

  it('should do nothing for a signal that is aborted already', async () => {
    const [scheduler, workers] = setUp();
    await expect(scheduler.embed(windowsOf(1), AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(workers.started).toEqual([]);
  });

  it('should reject only the requests of a batch that failed', async () => {
    const [scheduler, workers] = setUp();
    const failed = scheduler.embed(windowsOf(1), never);
    await workers.untilStarted(1);
    const later = scheduler.embed(windowsOf(2), never);
    workers.fail(0, new EngineFailedError('died'));
    await expect(failed).rejects.toThrow('died');
    await workers.untilStarted(2);
    workers.finish(1);
    await expect(later).resolves.toHaveLength(1);
  });

  it('should reject what runs and what waits when it is closed', async () => {
    const [scheduler, workers] = setUp();
    const running = scheduler.embed(windowsOf(1), never);
    await workers.untilStarted(1);
    const waiting = scheduler.embed(windowsOf(2), never);
    scheduler.close();
    await expect(running).rejects.toBeInstanceOf(EngineFailedError);
    await expect(waiting).rejects.toBeInstanceOf(EngineFailedError);
  });

  it('should reject the organization that fills the queue, and serve another in the next batch', async () => {
    const [scheduler, workers] = setUp({ parallelBatches: 1, maxWaitingWindows: 100 });
    const flood = { organizationId: 'flood', keyId: 'key' };
    const controller = new AbortController();
    const outcomes = Array.from({ length: 9 }, () =>
      scheduler.embed(windowsOf(...Array(10).keys()), controller.signal, flood).then(
        () => 'embedded',
        (error: unknown) => error,
      ),
    );
    await workers.untilStarted(1);
    await expect(scheduler.embed(windowsOf(...Array(60).keys()), never, flood)).rejects.toBeInstanceOf(EngineBusyError);
    const other = scheduler.embed(windowsOf(7), never, { organizationId: 'other', keyId: 'key' });
    workers.finish(0);
    await workers.untilStarted(2);
    workers.finish(1);
    expect((await other).map((vector) => vector[0])).toEqual([7]);
    controller.abort(new Error('over'));
    expect((await Promise.all(outcomes)).filter((outcome) => outcome instanceof EngineBusyError)).not.toHaveLength(0);
  });
});
