/** A job of a thread: how long it computes, and what happens then. */
interface Job {
  remaining: number;
  then: () => void;
}

/** A thread of a process: does its jobs one after the other, and can use one processor at a time. */
export class Thread {
  private readonly jobs: Job[] = [];
  /** Whether it has a processor or waits for one. */
  isRunnable = false;

  constructor(
    private readonly machine: Machine,
    /** The processor it used last. */
    public core: number,
  ) {}

  get current(): Job | undefined {
    return this.jobs[0];
  }

  /** @param microseconds of processor time, on average */
  compute(microseconds: number, then: () => void): void {
    this.jobs.push({ remaining: this.machine.vary(microseconds), then });
    if (this.isRunnable) return;
    this.isRunnable = true;
    this.machine.wake(this);
  }

  finishCurrent(): void {
    this.jobs.shift()?.then();
  }
}

/** A processor: the threads that wait for it, and the one that runs, with the rest of its time slice. */
interface Core {
  readonly waiting: Thread[];
  running: { thread: Thread; slice: number } | undefined;
}

/**
 * Processors that threads share as Linux lets them: a thread that wakes up takes an idle processor or waits for the one that
 * it used last; each runs for a time slice while others wait; and a processor with nothing to do takes a thread from another.
 */
export class Machine {
  private readonly cores: Core[] = [];
  private threadCount = 0;
  /** Processor time that was used, in microseconds. */
  used = 0;

  /**
   * @param coreCount Infinity if each thread has a processor of its own
   * @param slice in microseconds
   * @param vary returns how long a job takes that takes so long on average
   */
  constructor(
    private readonly coreCount: number,
    private readonly slice: number,
    readonly vary: (microseconds: number) => number,
  ) {
    while (coreCount !== Infinity && this.cores.length < coreCount) this.addCore();
  }

  start(): Thread {
    if (this.coreCount === Infinity) this.addCore();
    const core = this.threadCount % this.cores.length;
    this.threadCount += 1;
    return new Thread(this, core);
  }

  wake(thread: Thread): void {
    const isIdle = (core: Core | undefined) => core?.running === undefined && core?.waiting.length === 0;
    if (!isIdle(this.cores[thread.core])) {
      const idle = this.cores.findIndex(isIdle);
      if (idle !== -1) thread.core = idle;
    }
    this.cores[thread.core]?.waiting.push(thread);
  }

  /** Lets free processors run what waits. Returns the time until something happens; Infinity if nothing will. */
  dispatch(): number {
    let next = Infinity;
    for (const [index, core] of this.cores.entries()) {
      if (core.running === undefined) {
        const thread = core.waiting.shift() ?? this.longestQueue().pop();
        if (thread === undefined) continue;
        thread.core = index;
        core.running = { thread, slice: this.slice };
      }
      const { thread, slice } = core.running;
      next = Math.min(next, slice, thread.current?.remaining ?? 0);
    }
    return next;
  }

  advance(elapsed: number): void {
    for (const core of this.cores) {
      const { running } = core;
      if (running === undefined) continue;
      const { thread } = running;
      this.used += elapsed;
      running.slice -= elapsed;
      if (thread.current !== undefined) {
        thread.current.remaining -= elapsed;
        if (thread.current.remaining < 1e-6) thread.finishCurrent();
      }
      if (thread.current !== undefined && running.slice > 1e-6) continue;
      core.running = undefined;
      thread.isRunnable = thread.current !== undefined;
      if (thread.isRunnable) core.waiting.push(thread);
    }
  }

  private addCore(): void {
    this.cores.push({ waiting: [], running: undefined });
  }

  private longestQueue(): Thread[] {
    return this.cores
      .map(({ waiting }) => waiting)
      .reduce((longest, waiting) => (waiting.length > longest.length ? waiting : longest));
  }
}

/** The time of a simulation, in which machines compute. */
export class Clock {
  /** Microseconds since the start. */
  now = 0;

  constructor(private readonly machines: readonly Machine[]) {}

  /** Computes until a time in microseconds, or until no thread has anything to do. */
  runUntil(end: number): void {
    while (this.now < end) {
      const elapsed = Math.min(...this.machines.map((machine) => machine.dispatch()));
      if (elapsed === Infinity) return;
      this.now += elapsed;
      for (const machine of this.machines) machine.advance(elapsed);
    }
  }
}
