import { RepeatedTask, type RepeatedTaskOptions } from './repeated-task.js';

const intervalMilliseconds = 1000;

/** A run that the test ends. */
interface Run {
  end: (isWorking?: boolean) => void;
  fail: (error: Error) => void;
}

describe('RepeatedTask', () => {
  let runs: Run[];
  let failures: unknown[];

  const create = (options: Partial<RepeatedTaskOptions> = {}) =>
    new RepeatedTask({
      intervalMilliseconds,
      run: () => new Promise<boolean>((resolve, fail) => runs.push({ end: (result = true) => resolve(result), fail })),
      onFailure: (error) => failures.push(error),
      ...options,
    });
  const latest = (): Run => {
    const run = runs.at(-1);
    if (run === undefined) throw new Error('Nothing has run.');
    return run;
  };
  /** Lets promises proceed. */
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (milliseconds: number) => {
    jest.advanceTimersByTime(milliseconds);
    await settle();
  };
  const hasEnded = async (promise: Promise<void>) => {
    const pending = Symbol();
    return (await Promise.race([promise, settle().then(() => pending)])) !== pending;
  };

  beforeEach(() => {
    [runs, failures] = [[], []];
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('should run after each interval, counted from the end of a run', async () => {
    create().start();
    await pass(intervalMilliseconds - 1);
    expect(runs).toHaveLength(0);
    await pass(1);
    expect(runs).toHaveLength(1);
    await pass(5 * intervalMilliseconds);
    expect(runs).toHaveLength(1);
    latest().end();
    await pass(0);
    await pass(intervalMilliseconds);
    expect(runs).toHaveLength(2);
  });

  it('should run for the first time after the delay', async () => {
    create({ delayMilliseconds: 10 }).start();
    await pass(10);
    expect(runs).toHaveLength(1);
  });

  it('should run immediately when woken, but not during a run', async () => {
    const task = create();
    task.start();
    task.wake();
    await settle();
    expect(runs).toHaveLength(1);
    task.wake();
    await settle();
    expect(runs).toHaveLength(1);
  });

  it('should run on request, after the run in progress', async () => {
    const task = create();
    const [first, second] = [task.run(), task.run()];
    await settle();
    expect(runs).toHaveLength(1);
    latest().end();
    await first;
    await settle();
    expect(runs).toHaveLength(2);
    expect(await hasEnded(second)).toBe(false);
    latest().end();
    await second;
  });

  it('should report the first of failures in a row, until a run works', async () => {
    const task = create();
    for (const outcome of ['first', 'second', true, 'third', false, 'fourth']) {
      const run = task.run();
      await settle();
      if (typeof outcome === 'string') latest().fail(new Error(outcome));
      else latest().end(outcome);
      await run;
    }
    expect(failures).toEqual([new Error('first'), new Error('third')]);
  });

  it('should report each failure if asked to', async () => {
    const task = create({ run: () => Promise.reject<boolean>(new Error('failed')), reportsEach: true });
    await task.run();
    await task.run();
    expect(failures).toHaveLength(2);
  });

  it('should go on after a failure', async () => {
    create().start();
    await pass(intervalMilliseconds);
    latest().fail(new Error('failed'));
    await pass(0);
    await pass(intervalMilliseconds);
    expect(runs).toHaveLength(2);
  });

  it('should stop after the run in progress, and not report its failure', async () => {
    const task = create();
    task.start();
    await pass(intervalMilliseconds);
    const stopped = task.stop();
    expect(task.signal.aborted).toBe(true);
    expect(await hasEnded(stopped)).toBe(false);
    latest().fail(new Error('canceled'));
    await stopped;
    await pass(10 * intervalMilliseconds);
    expect(runs).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('should stop during a pause, and before it has started, without another run', async () => {
    const [paused, unstarted] = [create(), create()];
    paused.start();
    await Promise.all([paused.stop(), unstarted.stop()]);
    await paused.run();
    await pass(10 * intervalMilliseconds);
    expect(runs).toHaveLength(0);
  });
});
