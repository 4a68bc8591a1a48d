import { EngineState } from './engine-state.js';

const retryDelays = { minMilliseconds: 1000, maxMilliseconds: 8000 };

describe('EngineState', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** An engine that fails its first `failures` self-tests, and the times of all of them. */
  function createEngine({ failures }: { failures: number }) {
    const testTimes: number[] = [];
    const start = Date.now();
    const state: EngineState = new EngineState(
      'test',
      async (): Promise<void> => {
        testTimes.push(Date.now() - start);
        await Promise.resolve();
        if (testTimes.length > failures) return state.markReady();
        state.markFailed();
        throw new Error('failed');
      },
      retryDelays,
    );
    return { state, testTimes };
  }

  it('should test a failed engine in the background with increasing delays until it works', async () => {
    const { state, testTimes } = createEngine({ failures: 5 });
    expect(state.value).toBe('idle');
    state.markFailed();
    state.markFailed();
    await jest.advanceTimersByTimeAsync(30_999);
    expect([testTimes, state.value]).toEqual([[1000, 3000, 7000, 15_000, 23_000], 'failed']);
    await jest.advanceTimersByTimeAsync(1);
    expect([testTimes.at(-1), state.value]).toEqual([31_000, 'ready']);
    await jest.advanceTimersByTimeAsync(100_000);
    expect(testTimes).toHaveLength(6);
  });

  it('should reset the delay once the engine works', async () => {
    const { state, testTimes } = createEngine({ failures: 0 });
    state.markFailed();
    await jest.advanceTimersByTimeAsync(1000);
    state.markFailed();
    await jest.advanceTimersByTimeAsync(1000);
    expect(testTimes).toEqual([1000, 2000]);
  });

  it('should not test an engine that has served a request since its failure, or is closed', async () => {
    const { state, testTimes } = createEngine({ failures: 0 });
    state.markFailed();
    state.markReady();
    await jest.advanceTimersByTimeAsync(10_000);
    state.markFailed();
    state.close();
    await jest.advanceTimersByTimeAsync(10_000);
    state.markFailed();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(testTimes).toEqual([]);
  });
});
