import { Deadline } from './deadline.js';

const limitMilliseconds = 1000;

describe('Deadline', () => {
  let expirations: number;
  const start = () => new Deadline(limitMilliseconds, () => void expirations++);
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  beforeEach(() => {
    expirations = 0;
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('should expire once', async () => {
    const deadline = start();
    jest.advanceTimersByTime(limitMilliseconds - 1);
    await nextTurn();
    expect(expirations).toBe(0);
    jest.advanceTimersByTime(1);
    await nextTurn();
    expect(expirations).toBe(1);
    expect(deadline.clear()).toBe(false);
  });

  it('should not expire if input that arrived before the timer clears it', async () => {
    const deadline = start();
    jest.advanceTimersByTime(limitMilliseconds);
    expect(deadline.clear()).toBe(true);
    await nextTurn();
    expect(expirations).toBe(0);
  });

  it('should restart after a stall, but only once', async () => {
    start();
    for (const expected of [0, 1]) {
      const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 2 * limitMilliseconds);
      jest.advanceTimersByTime(limitMilliseconds);
      clock.mockRestore();
      await nextTurn();
      expect(expirations).toBe(expected);
    }
  });
});
