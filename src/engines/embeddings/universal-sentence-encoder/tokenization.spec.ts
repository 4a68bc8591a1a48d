import { EngineBusyError, EngineFailedError } from '../../engine-errors.js';
import { defaultModelFolder } from './model-files.js';
import { Tokenization } from './tokenization.js';
import type { TokenizeTask } from './worker-tasks.js';

/** Stands for a worker that gives each text's length as its only token when told to. */
class ManualWorker {
  readonly tasks: TokenizeTask[] = [];
  private readonly ends: (() => void)[] = [];

  readonly tokenizeInWorker = (task: TokenizeTask): Promise<Uint16Array[]> => {
    this.tasks.push(task);
    return new Promise((resolve) => {
      this.ends.push(() => resolve(task.texts.map((text) => Uint16Array.of(text.length % 65_536))));
    });
  };

  finish(task: number): void {
    this.ends[task]?.();
  }
}

const never = new AbortController().signal;
const LONG = 5_000;

function setUp(): [Tokenization, ManualWorker] {
  const worker = new ManualWorker();
  const tokenization = new Tokenization({
    modelFolder: defaultModelFolder(),
    tokenizeInWorker: worker.tokenizeInWorker,
  });
  return [tokenization, worker];
}

/** Lets promises that are already settled run their course. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('Tokenization', () => {
  it('should tokenize short texts without a worker', async () => {
    const [tokenization, worker] = setUp();
    const tokenIds = await tokenization.tokenize(['one', '', 'two three'], never);
    expect(tokenIds.map((ids) => ids.length)).toEqual([1, 0, 2]);
    expect(worker.tasks).toEqual([]);
  });

  it('should leave many short texts to a worker too, and keep their order over several tasks', async () => {
    const [tokenization, worker] = setUp();
    const texts = Array.from({ length: 2048 }, (_, index) => 'x'.repeat(200 + (index % 7)));
    const answer = tokenization.tokenize(texts, never);
    for (let task = 0; task < 2; task += 1) {
      await settled();
      worker.finish(task);
    }
    expect((await answer).map((ids) => ids[0])).toEqual(texts.map((text) => text.length));
    expect(worker.tasks).toHaveLength(2);
  });

  it('should let requests take turns between tasks', async () => {
    const [tokenization, worker] = setUp();
    const large = tokenization.tokenize(['a'.repeat(300_000), 'b'.repeat(300_000)], never);
    const small = tokenization.tokenize(['c'.repeat(LONG)], never);
    for (let task = 0; task < 3; task += 1) {
      await settled();
      worker.finish(task);
    }
    await Promise.all([large, small]);
    expect(worker.tasks.map((task) => task.texts[0]?.[0])).toEqual(['a', 'c', 'b']);
  });

  it('should let organizations take turns', async () => {
    const [tokenization, worker] = setUp();
    const tokenize = (letter: string, organizationId: string) =>
      tokenization.tokenize([letter.repeat(LONG)], never, { organizationId, keyId: 'key' });
    const flood = ['a', 'b', 'c'].map((letter) => tokenize(letter, 'flood'));
    const other = tokenize('x', 'other');
    for (let task = 0; task < 4; task += 1) {
      await settled();
      worker.finish(task);
    }
    await Promise.all([...flood, other]);
    expect(worker.tasks.map((task) => task.texts[0]?.[0])).toEqual(['a', 'x', 'b', 'c']);
  });

  it('should drop what an aborted request still waits for', async () => {
    const [tokenization, worker] = setUp();
    const running = tokenization.tokenize(['a'.repeat(LONG)], never);
    const controller = new AbortController();
    const aborted = tokenization.tokenize(['b'.repeat(LONG)], controller.signal);
    const last = tokenization.tokenize(['c'.repeat(LONG)], never);
    await settled();
    controller.abort(new Error('hung up'));
    await expect(aborted).rejects.toThrow('hung up');
    worker.finish(0);
    await settled();
    worker.finish(1);
    await Promise.all([running, last]);
    expect(worker.tasks.map((task) => task.texts[0]?.[0])).toEqual(['a', 'c']);
  });

  it('should answer busy at once when too much text waits, but take one request of any size', async () => {
    const [tokenization, worker] = setUp();
    const huge = tokenization.tokenize(['x'.repeat(80_000_000)], never);
    await expect(tokenization.tokenize(['y'.repeat(LONG)], never)).rejects.toBeInstanceOf(EngineBusyError);
    await settled();
    worker.finish(0);
    await huge;
    const next = tokenization.tokenize(['z'.repeat(LONG)], never);
    await settled();
    worker.finish(1);
    await expect(next).resolves.toHaveLength(1);
  });

  it('should go on after a task that failed', async () => {
    const [first, second] = [new Error('died'), Uint16Array.of(1)];
    const outcomes = [Promise.reject(first), Promise.resolve([second])];
    const tokenization = new Tokenization({
      modelFolder: defaultModelFolder(),
      tokenizeInWorker: () => outcomes.shift() ?? Promise.resolve([]),
    });
    const failed = tokenization.tokenize(['a'.repeat(LONG)], never);
    const next = tokenization.tokenize(['b'.repeat(LONG)], never);
    await expect(failed).rejects.toBe(first);
    await expect(next).resolves.toEqual([second]);
  });

  it('should say that the engine failed when there is no vocabulary', async () => {
    const tokenization = new Tokenization({
      modelFolder: 'no-such-folder',
      tokenizeInWorker: () => Promise.resolve([]),
    });
    await expect(tokenization.tokenize(['one'], never)).rejects.toBeInstanceOf(EngineFailedError);
  });
});
