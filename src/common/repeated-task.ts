export interface RepeatedTaskOptions {
  /** Between the end of a run and the next one. */
  readonly intervalMilliseconds: number;
  /** Before the first run; by default, the interval. */
  readonly delayMilliseconds?: number;
  /** Resolves with `false` if that doesn't show that it works again. */
  readonly run: () => Promise<boolean> | Promise<void>;
  /** Called with the first of failures in a row, but not while the task stops. */
  readonly onFailure: (error: unknown) => void;
  /** Calls `onFailure` with every failure, for tasks that rarely run. */
  readonly reportsEach?: boolean;
}

/** Repeats a task until the service stops. Runs never overlap, and a run that fails doesn't end the repetition. */
export class RepeatedTask {
  private readonly stopping = new AbortController();
  private repeating: Promise<void> | undefined;
  /** Resolves when nothing runs. */
  private running = Promise.resolve();
  private isFailing = false;
  /** Ends the pause before the next run. */
  private endPause: () => void = () => undefined;

  constructor(private readonly options: RepeatedTaskOptions) {}

  /** Aborts when the task stops, so that a long run can end early. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  start(): void {
    this.repeating ??= this.repeat();
  }

  /** Starts no more runs, and waits for the run in progress. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.repeating;
    await this.running;
  }

  /** Ends a pause before the next run. Does nothing during a run. */
  wake(): void {
    this.endPause();
  }

  /** Runs the task, after the run in progress. Reports failures, and never throws. */
  run(): Promise<void> {
    this.running = this.running.then(() => this.attempt());
    return this.running;
  }

  private async repeat(): Promise<void> {
    const { intervalMilliseconds, delayMilliseconds = intervalMilliseconds } = this.options;
    for (let wait = delayMilliseconds; !this.signal.aborted; wait = intervalMilliseconds) {
      await this.pause(wait);
      await this.run();
    }
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds).unref();
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async attempt(): Promise<void> {
    if (this.signal.aborted) return;
    const { run, onFailure, reportsEach = false } = this.options;
    try {
      if ((await run()) !== false) this.isFailing = false;
    } catch (error) {
      if ((reportsEach || !this.isFailing) && !this.signal.aborted) onFailure(error);
      this.isFailing = true;
    }
  }
}
