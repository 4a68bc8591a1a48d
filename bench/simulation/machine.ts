/** A job of a thread: how long it computes, and what happens then. */
interface Job {
  remaining: number;
  then: () => void;
}

/** A thread of a process: does its jobs one after the other, and can use one processor at a time. */
export class Thread {
  private readonly jobs: Job[] = [];

  get current(): Job | undefined {
    return this.jobs[0];
  }

  /** @param microseconds of processor time */
  compute(microseconds: number, then: () => void): void {
    this.jobs.push({ remaining: microseconds, then });
  }

  finishCurrent(): void {
    this.jobs.shift()?.then();
  }
}

/**
 * Processors that threads share equally, as the scheduler of an operating system lets them: each thread with something to
 * do progresses at the same rate, and at most as fast as one processor (processor sharing).
 */
export class Machine {
  private readonly threads: Thread[] = [];
  /** Processor time that was used, in microseconds. */
  used = 0;

  /** @param cores Infinity if each thread has a processor of its own */
  constructor(readonly cores: number) {}

  start(): Thread {
    const thread = new Thread();
    this.threads.push(thread);
    return thread;
  }

  get active(): Thread[] {
    return this.threads.filter(({ current }) => current !== undefined);
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
      const running = this.machines.flatMap((machine) => {
        const { active } = machine;
        const rate = Math.min(1, machine.cores / active.length);
        return active.map((thread) => ({ machine, thread, rate, remaining: thread.current?.remaining ?? Infinity }));
      });
      if (running.length === 0) return;
      const elapsed = Math.min(...running.map(({ remaining, rate }) => remaining / rate));
      this.now += elapsed;
      for (const { machine, thread, rate, remaining } of running) {
        machine.used += elapsed * rate;
        const { current } = thread;
        if (current === undefined) continue;
        current.remaining = remaining - elapsed * rate;
        if (current.remaining < 1e-6) thread.finishCurrent();
      }
    }
  }
}
