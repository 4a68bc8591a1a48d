import { EngineState } from './engine-state.js';

const pauses = { shortestMilliseconds: 1000, longestMilliseconds: 8000 };

describe('EngineState', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  /** An engine that fails so often before it works, and when it was tried. */
  function engineThatFails(times: number) {
    const tries: number[] = [];
    const start = Date.now();
    const state: EngineState = new EngineState(
      'of the test',
      async (): Promise<void> => {
        tries.push(Date.now() - start);
        await Promise.resolve();
        if (tries.length > times) return state.succeed();
        state.fail();
        throw new Error('failed');
      },
      pauses,
    );
    return { state, tries };
  }

  it('should try a failed engine in the background, ever less often, until it works', async () => {
    const { state, tries } = engineThatFails(5);
    expect(state.value).toBe('idle');
    state.fail();
    state.fail();
    await jest.advanceTimersByTimeAsync(30_999);
    expect([tries, state.value]).toEqual([[1000, 3000, 7000, 15_000, 23_000], 'failed']);
    await jest.advanceTimersByTimeAsync(1);
    expect([tries.at(-1), state.value]).toEqual([31_000, 'ready']);
    await jest.advanceTimersByTimeAsync(100_000);
    expect(tries).toHaveLength(6);
  });

  it('should start again with the shortest pause after it has worked', async () => {
    const { state, tries } = engineThatFails(0);
    state.fail();
    await jest.advanceTimersByTimeAsync(1000);
    state.fail();
    await jest.advanceTimersByTimeAsync(1000);
    expect(tries).toEqual([1000, 2000]);
  });

  it('should not try an engine that requests have found to work, or that is closed', async () => {
    const { state, tries } = engineThatFails(0);
    state.fail();
    state.succeed();
    await jest.advanceTimersByTimeAsync(10_000);
    state.fail();
    state.close();
    await jest.advanceTimersByTimeAsync(10_000);
    state.fail();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(tries).toEqual([]);
  });
});
