import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('should handle each item once, in their order', async () => {
    const handled: number[] = [];
    await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      handled.push(item);
      await Promise.resolve();
    });
    expect(handled).toEqual([1, 2, 3, 4, 5]);
  });

  it('should never handle more at a time than allowed', async () => {
    let current = 0;
    let most = 0;
    await inParallel([1, 2, 3, 4, 5], 2, async () => {
      most = Math.max(most, ++current);
      await new Promise((resolve) => setImmediate(resolve));
      current--;
    });
    expect(most).toBe(2);
  });

  it('should reject when an item fails', async () => {
    const failing = inParallel([1, 2], 2, (item) => (item === 2 ? Promise.reject(new Error('2')) : Promise.resolve()));
    await expect(failing).rejects.toThrow('2');
  });
});
