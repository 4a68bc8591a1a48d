import fc from 'fast-check';
import { ContinuousBatcher, DeadlineExceededError, QueueFullError } from './continuous-batcher.js';

interface Batch {
  items: string[];
  finish: (results: string[]) => void;
  fail: (error: Error) => void;
}

/** A batcher whose batches the test completes. */
function createBatcher(limits: { maxBatchSize?: number; maxQueueLength?: number; lanes?: number } = {}) {
  const batches: Batch[] = [];
  const batcher = new ContinuousBatcher<string, number, string>({
    lanes: Array.from({ length: limits.lanes ?? 1 }, (_, lane) => lane),
    maxBatchSize: limits.maxBatchSize ?? 10,
    maxQueueLength: limits.maxQueueLength ?? 100,
    deadlineMilliseconds: 2000,
    execute: (_lane, items) =>
      new Promise((finish, fail) => {
        batches.push({ items, finish, fail });
      }),
  });
  return { batcher, batches };
}

/** Runs everything that is due now. */
const settle = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe('ContinuousBatcher', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('should send items that arrive together in one batch, and resolve each with its own result', async () => {
    const { batcher, batches } = createBatcher();
    const results = Promise.all(['a', 'b', 'c'].map((item) => batcher.submit(item)));
    await settle();
    expect(batches.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    batches[0]?.finish(['A', 'B', 'C']);
    expect(await results).toEqual(['A', 'B', 'C']);
  });

  it('should never add an item to a batch that was already sent', async () => {
    const { batcher, batches } = createBatcher();
    const early = batcher.submit('early');
    await settle();
    const late = [batcher.submit('late 1'), batcher.submit('late 2')];
    await settle();
    expect(batches).toHaveLength(1);
    batches[0]?.finish(['first']);
    expect(await early).toBe('first');
    await settle();
    expect(batches[1]?.items).toEqual(['late 1', 'late 2']);
    batches[1]?.finish(['second', 'third']);
    expect(await Promise.all(late)).toEqual(['second', 'third']);
  });

  it('should limit the batch size and send the rest next', async () => {
    const { batcher, batches } = createBatcher({ maxBatchSize: 2 });
    const all = Promise.all(['a', 'b', 'c'].map((item) => batcher.submit(item)));
    await settle();
    batches[0]?.finish(['A', 'B']);
    await settle();
    expect(batches.map(({ items }) => items)).toEqual([['a', 'b'], ['c']]);
    batches[1]?.finish(['C']);
    expect(await all).toEqual(['A', 'B', 'C']);
  });

  it('should use every lane', async () => {
    const { batcher, batches } = createBatcher({ maxBatchSize: 1, lanes: 2 });
    const all = Promise.all(['a', 'b'].map((item) => batcher.submit(item)));
    await settle();
    expect(batches).toHaveLength(2);
    for (const batch of batches) batch.finish(batch.items);
    await all;
  });

  it('should reject immediately while the queue is full, and accept items again afterwards', async () => {
    const { batcher, batches } = createBatcher({ maxQueueLength: 2 });
    const accepted = [batcher.submit('a'), batcher.submit('b')];
    await expect(batcher.submit('c')).rejects.toThrow(QueueFullError);
    await settle();
    accepted.push(batcher.submit('d'));
    batches[0]?.finish(['A', 'B']);
    await settle();
    batches[1]?.finish(['D']);
    expect(await Promise.all(accepted)).toEqual(['A', 'B', 'D']);
  });

  it('should reject every item of a failed batch, and none of the next', async () => {
    const { batcher, batches } = createBatcher();
    const failing = Promise.allSettled([batcher.submit('a'), batcher.submit('b')]);
    await settle();
    const next = batcher.submit('c');
    batches[0]?.fail(new Error('connection lost'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await settle();
    batches[1]?.finish(['C']);
    expect(await next).toBe('C');
  });

  it('should reject waiting and running items after the deadline', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { batcher, batches } = createBatcher();
    const stuck = batcher.submit('stuck');
    await settle();
    jest.advanceTimersByTime(1500);
    const waiting = batcher.submit('waiting');
    jest.advanceTimersByTime(500);
    await expect(stuck).rejects.toThrow(DeadlineExceededError);
    jest.advanceTimersByTime(1500);
    await expect(waiting).rejects.toThrow(DeadlineExceededError);

    // The late result of the stuck batch is ignored, and expired items are never sent.
    batches[0]?.finish(['too late']);
    const fresh = batcher.submit('fresh');
    await settle();
    expect(batches.map(({ items }) => items)).toEqual([['stuck'], ['fresh']]);
    batches[1]?.finish(['FRESH']);
    expect(await fresh).toBe('FRESH');
  });

  describe('with items whose values PostgreSQL rejects', () => {
    const outOfRange = () => Object.assign(new Error('bigint out of range'), { code: '22003' });
    const isHostile = (item: string) => item.startsWith('hostile');
    /** Completes batches until the items are settled, as PostgreSQL would. */
    const complete = async (batches: Batch[], items: Promise<string>[]) => {
      let isSettled = false;
      const settled = Promise.allSettled(items).finally(() => (isSettled = true));
      for (let done = 0; !isSettled; done = batches.length) {
        await settle();
        for (const { items, finish, fail } of batches.slice(done)) {
          if (items.some(isHostile)) fail(outOfRange());
          else finish(items.map((item) => item.toUpperCase()));
        }
      }
      return (await settled).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected'));
    };

    it('should reject only these, wherever they are in the batch', async () => {
      const anItem = fc
        .tuple(fc.boolean(), fc.nat({ max: 99 }))
        .map(([is, number]) => `${is ? 'hostile' : 'item'} ${number}`);
      const property = fc.asyncProperty(fc.array(anItem, { minLength: 1, maxLength: 20 }), async (items) => {
        const { batcher, batches } = createBatcher({ maxBatchSize: 20 });
        const outcomes = await complete(
          batches,
          items.map((item) => batcher.submit(item)),
        );
        expect(outcomes).toEqual(items.map((item) => (isHostile(item) ? 'rejected' : item.toUpperCase())));
      });
      await fc.assert(property);
    });

    it('should need few more batches for a single one among a thousand', async () => {
      const { batcher, batches } = createBatcher({ maxBatchSize: 1000, maxQueueLength: 1000 });
      const items = Array.from({ length: 1000 }, (_, number) => batcher.submit(number === 617 ? 'hostile' : 'item'));
      const outcomes = await complete(batches, items);
      expect(outcomes.filter((outcome) => outcome === 'rejected')).toHaveLength(1);
      expect(batches.length).toBeLessThanOrEqual(21);
    });

    it('should accept items again, and drain afterwards', async () => {
      const { batcher, batches } = createBatcher();
      await complete(
        batches,
        ['item', 'hostile'].map((item) => batcher.submit(item)),
      );
      await batcher.drain();
      expect(await complete(batches, [batcher.submit('later')])).toEqual(['LATER']);
    });

    it('should not send the others after their deadline, and report that they were not sent', async () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
      const { batcher, batches } = createBatcher();
      const results = ['hostile', 'second', 'third', 'fourth'].map((item) => batcher.submit(item));
      const outcomes = Promise.allSettled(results);
      await settle();
      batches[0]?.fail(outOfRange());
      await settle();
      jest.advanceTimersByTime(2000);
      await settle();
      batches[1]?.fail(outOfRange());
      await settle();
      expect(batches.map(({ items }) => items)).toEqual([
        ['hostile', 'second', 'third', 'fourth'],
        ['hostile', 'second'],
      ]);
      expect(await outcomes).toMatchObject([true, true, false, false].map((wasSent) => ({ reason: { wasSent } })));
    });
  });
});
