import { BulkError, changeEach } from './bulk-changes.js';

const keys = Array.from({ length: 20 }, (_, index) => ({ id: String(index), name: `Key ${index}` }));

describe('changeEach', () => {
  it('should change every key, at most four at a time', async () => {
    const changed: string[] = [];
    let running = 0;
    let most = 0;
    await changeEach(keys, 'deleted', async ({ id }) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      changed.push(id);
    });
    expect(changed.sort()).toEqual(keys.map(({ id }) => id).sort());
    expect(most).toBe(4);
  });

  it('should change the others after failures, and name the keys that failed', async () => {
    const error: unknown = await changeEach(keys, 'deleted', ({ id }) =>
      id === '1' || id === '3' ? Promise.reject(new Error('API key not found.')) : Promise.resolve(),
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BulkError);
    expect(error).toMatchObject({
      message: '18 of 20 keys deleted. Key 1: API key not found. Key 3: API key not found.',
      failedIds: ['1', '3'],
    });
  });

  it('should only count failures after the fifth', async () => {
    await expect(changeEach(keys, 'deleted', () => Promise.reject(new Error('No.')))).rejects.toThrow(
      /^0 of 20 keys deleted\. (Key \d: No\. ){5}15 more failed\.$/,
    );
  });
});
