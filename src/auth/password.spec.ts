import { setImmediate as nextTurn } from 'node:timers/promises';
import { HashingQueue } from './password.js';

/** Creates tasks that run until they are released. */
function createTasks(queue: HashingQueue) {
  const started: number[] = [];
  const releases: (() => void)[] = [];
  const run = (number: number) =>
    queue.run(async () => {
      started.push(number);
      await new Promise<void>((resolve) => (releases[number] = resolve));
      return number;
    });
  return { started, run, release: (number: number) => releases[number]?.() };
}

describe('HashingQueue', () => {
  it('should run two tasks at a time, and the next in order when one ends', async () => {
    const tasks = createTasks(new HashingQueue({ concurrency: 2, waiting: 2 }));
    const results = [0, 1, 2, 3].map((number) => tasks.run(number));
    await nextTurn();
    expect(tasks.started).toEqual([0, 1]);
    tasks.release(1);
    await expect(results[1]).resolves.toBe(1);
    await nextTurn();
    expect(tasks.started).toEqual([0, 1, 2]);
    for (const number of [0, 2]) tasks.release(number);
    await nextTurn();
    tasks.release(3);
    await expect(Promise.all(results)).resolves.toEqual([0, 1, 2, 3]);
  });

  it('should reject a task with 503 and Retry-After while the queue is full', async () => {
    const tasks = createTasks(new HashingQueue({ concurrency: 1, waiting: 1 }));
    const results = [0, 1].map((number) => tasks.run(number));
    await expect(tasks.run(2)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    tasks.release(0);
    await nextTurn();
    tasks.release(1);
    await Promise.all(results);
    const next = tasks.run(3);
    await nextTurn();
    tasks.release(3);
    await expect(next).resolves.toBe(3);
  });

  it('should free the slot of a task that fails', async () => {
    const queue = new HashingQueue({ concurrency: 1, waiting: 0 });
    await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(queue.run(() => Promise.resolve('done'))).resolves.toBe('done');
  });
});
