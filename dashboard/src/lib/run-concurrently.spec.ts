import { runConcurrently } from './run-concurrently.js';

describe('runConcurrently', () => {
  it('should handle each item once, in order', async () => {
    const handled: number[] = [];
    await runConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
      handled.push(item);
      await Promise.resolve();
    });
    expect(handled).toEqual([1, 2, 3, 4, 5]);
  });

  it('should not exceed the limit', async () => {
    let current = 0;
    let most = 0;
    await runConcurrently([1, 2, 3, 4, 5], 2, async () => {
      most = Math.max(most, ++current);
      await new Promise((resolve) => setImmediate(resolve));
      current--;
    });
    expect(most).toBe(2);
  });

  it('should reject if an item fails', async () => {
    const failing = runConcurrently([1, 2], 2, (item) =>
      item === 2 ? Promise.reject(new Error('2')) : Promise.resolve(),
    );
    await expect(failing).rejects.toThrow('2');
  });
});
