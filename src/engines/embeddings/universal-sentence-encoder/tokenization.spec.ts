import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { defaultModelFolder } from './model-files.js';
import { Tokenization } from './tokenization.js';
import type { TokenizeTask } from './worker-tasks.js';

/** A worker whose tasks end when the test decides. Each text has a single token: its length. */
class ManualWorker {
  readonly tasks: TokenizeTask[] = [];
  private readonly finishTask: (() => void)[] = [];

  readonly tokenizeInWorker = (task: TokenizeTask): Promise<Uint16Array[]> => {
    this.tasks.push(task);
    return new Promise((resolve) => {
      this.finishTask.push(() => resolve(task.texts.map((text) => Uint16Array.of(text.length % 65_536))));
    });
  };

  finish(task: number): void {
    this.finishTask[task]?.();
  }
}

const never = new AbortController().signal;
/** Too long to tokenize inline. */
const longTextLength = 5_000;

function setUp(): [Tokenization, ManualWorker] {
  const worker = new ManualWorker();
  const tokenization = new Tokenization({
    modelFolder: defaultModelFolder(),
    tokenizeInWorker: worker.tokenizeInWorker,
  });
  return [tokenization, worker];
}

/** Waits until the callbacks of settled promises have run. */
async function flushPromises(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('Tokenization', () => {
  it('should tokenize short texts without a worker', async () => {
    const [tokenization, worker] = setUp();
    const tokenIds = await tokenization.tokenize(['one', '', 'two three'], never);
    expect(tokenIds.map((ids) => ids.length)).toEqual([1, 0, 2]);
    expect(worker.tasks).toEqual([]);
  });

  it('should tokenize many short texts in a worker, in order across several tasks', async () => {
    const [tokenization, worker] = setUp();
    const texts = Array.from({ length: 2048 }, (_, index) => 'x'.repeat(200 + (index % 7)));
    const request = tokenization.tokenize(texts, never);
    for (let task = 0; task < 2; task += 1) {
      await flushPromises();
      worker.finish(task);
    }
    expect((await request).map((ids) => ids[0])).toEqual(texts.map((text) => text.length));
    expect(worker.tasks).toHaveLength(2);
  });

  it('should let requests take turns after each task', async () => {
    const [tokenization, worker] = setUp();
    const large = tokenization.tokenize(['a'.repeat(300_000), 'b'.repeat(300_000)], never);
    const small = tokenization.tokenize(['c'.repeat(longTextLength)], never);
    for (let task = 0; task < 3; task += 1) {
      await flushPromises();
      worker.finish(task);
    }
    await Promise.all([large, small]);
    expect(worker.tasks.map((task) => task.texts[0]?.[0])).toEqual(['a', 'c', 'b']);
  });

  it('should let organizations take turns', async () => {
    const [tokenization, worker] = setUp();
    const tokenize = (letter: string, organizationId: string) =>
      tokenization.tokenize([letter.repeat(longTextLength)], never, { organizationId, keyId: 'key' });
    const flood = ['a', 'b', 'c'].map((letter) => tokenize(letter, 'flood'));
    const other = tokenize('x', 'other');
    for (let task = 0; task < 4; task += 1) {
      await flushPromises();
      worker.finish(task);
    }
    await Promise.all([...flood, other]);
    expect(worker.tasks.map((task) => task.texts[0]?.[0])).toEqual(['a', 'x', 'b', 'c']);
  });

  it('should drop the waiting tasks of an aborted request', async () => {
    const [tokenization, worker] = setUp();
    const running = tokenization.tokenize(['a'.repeat(longTextLength)], never);
    const controller = new AbortController();
    const aborted = tokenization.tokenize(['b'.repeat(longTextLength)], controller.signal);
    const last = tokenization.tokenize(['c'.repeat(longTextLength)], never);
    await flushPromises();
    controller.abort(new Error('disconnected'));
    await expect(aborted).rejects.toThrow('disconnected');
    worker.finish(0);
    await flushPromises();
    worker.finish(1);
    await Promise.all([running, last]);
    expect(worker.tasks.map((task) => task.texts[0]?.[0])).toEqual(['a', 'c']);
  });

  it('should reject immediately while the queue is full, but accept one request of any size', async () => {
    const [tokenization, worker] = setUp();
    const huge = tokenization.tokenize(['x'.repeat(80_000_000)], never);
    await expect(tokenization.tokenize(['y'.repeat(longTextLength)], never)).rejects.toBeInstanceOf(EngineBusyError);
    await flushPromises();
    worker.finish(0);
    await huge;
    const next = tokenization.tokenize(['z'.repeat(longTextLength)], never);
    await flushPromises();
    worker.finish(1);
    await expect(next).resolves.toHaveLength(1);
  });

  it('should run the next task after a failed one', async () => {
    const [first, second] = [new Error('died'), Uint16Array.of(1)];
    const outcomes = [Promise.reject(first), Promise.resolve([second])];
    const tokenization = new Tokenization({
      modelFolder: defaultModelFolder(),
      tokenizeInWorker: () => outcomes.shift() ?? Promise.resolve([]),
    });
    const failed = tokenization.tokenize(['a'.repeat(longTextLength)], never);
    const next = tokenization.tokenize(['b'.repeat(longTextLength)], never);
    await expect(failed).rejects.toBe(first);
    await expect(next).resolves.toEqual([second]);
  });

  it('should fail with EngineFailedError if the vocabulary is missing', async () => {
    const tokenization = new Tokenization({
      modelFolder: 'no-such-folder',
      tokenizeInWorker: () => Promise.resolve([]),
    });
    await expect(tokenization.tokenize(['one'], never)).rejects.toBeInstanceOf(EngineFailedError);
  });
});
