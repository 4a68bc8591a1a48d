import { setImmediate as nextTurn } from 'node:timers/promises';
import { hash } from '@node-rs/argon2';
import { HashingQueue, hashPassword, isPasswordCorrect } from './password.js';

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

describe('A password', () => {
  const composed = 'caf\u00e9 del mar';
  const decomposed = 'cafe\u0301 del mar';

  it.each([
    [composed, decomposed],
    [decomposed, composed],
    [composed, composed],
  ])('should be correct in every form of its characters: %j as %j', async (password, typed) => {
    expect(await isPasswordCorrect(typed, await hashPassword(password))).toBe(true);
  });

  it('should still be correct if it was hashed as it was typed', async () => {
    expect(await isPasswordCorrect(decomposed, await hash(decomposed))).toBe(true);
  });

  it('should be wrong otherwise, and without a hash', async () => {
    expect(await isPasswordCorrect('cafe del mar', await hashPassword(composed))).toBe(false);
    expect(await isPasswordCorrect(decomposed, await hashPassword('another password'))).toBe(false);
    expect(await isPasswordCorrect('decoy', null)).toBe(false);
  });
});
