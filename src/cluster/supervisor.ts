import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorMessage } from '../common/errors/error-utils.js';
import type { FirstStart } from '../auth/first-start.js';
import { WorkerProcess } from './worker-process.js';
import type { WorkerSettings } from './worker-methods.js';

/** Pause before the second restart in a row, doubled for each further one; the first is immediate. */
const firstPauseMilliseconds = 500;
const maxPauseMilliseconds = 30_000;
/** Uptime after which the next restart is immediate again. */
const stableMilliseconds = 60_000;
/** What a worker may take for a step in addition to its time limit, before it's killed. */
const graceMilliseconds = 12_000;

interface StopLimits {
  drainMilliseconds: number;
  stopMilliseconds: number;
  /** Aborts all waiting. */
  cut: AbortSignal | undefined;
}

/** Starts workers, and keeps them running until `stop`. */
export class Supervisor {
  restarts = 0;
  /** Called when a worker has ended unexpectedly. */
  onLost: (worker: WorkerProcess) => void = () => undefined;
  private readonly workers: WorkerProcess[];
  private readonly running = new Set<WorkerProcess>();
  private readonly stopping = new AbortController();

  /** Starts the processes, which load the application in the meantime. */
  constructor(
    count: number,
    private readonly logger: Logger,
  ) {
    this.workers = Array.from({ length: count }, (_, index) => new WorkerProcess({ index, count }));
  }

  /** Workers that serve requests. */
  get current(): readonly WorkerProcess[] {
    return [...this.running];
  }

  /**
   * Has all workers listen and report ready.
   *
   * @throws the first worker's error; the caller must call `kill`
   */
  async start(settings: Omit<WorkerSettings, 'share'>): Promise<{ url: string; firstStart: FirstStart | undefined }> {
    const [first] = this.workers;
    const [url] = await Promise.all(this.workers.map((worker) => worker.start(settings)));
    if (first === undefined || url === undefined) throw new Error('There are no workers.');
    // After listening: a failed start would create the administrator and lose the password.
    const firstStart = await first.call('seed');
    await Promise.all(this.workers.map((worker) => worker.call('run')));
    for (const worker of this.workers) {
      this.running.add(worker);
      void this.keepRunning(worker, settings);
    }
    return { url, firstStart };
  }

  /**
   * Stops without failing requests. All workers drain together, so that load balancers notice, then close their listeners
   * one by one: until the last one does, there is another for new connections. Requests in flight finish in parallel.
   */
  async stop({ drainMilliseconds, stopMilliseconds, cut }: StopLimits): Promise<void> {
    this.stopping.abort();
    const workers = this.current;
    await Promise.all(this.workers.filter((worker) => !this.running.has(worker)).map((worker) => worker.kill()));
    const cutAll = () => workers.forEach((worker) => void worker.call('cut').catch(() => undefined));
    if (cut?.aborted) cutAll();
    cut?.addEventListener('abort', cutAll);
    await Promise.all(workers.map((worker) => inTime(worker.call('drain', drainMilliseconds), drainMilliseconds)));
    const finished: Promise<void>[] = [];
    for (const worker of workers) {
      await inTime(worker.call('stopListening'), 0);
      finished.push(this.finish(worker, stopMilliseconds));
    }
    await Promise.all(finished);
  }

  /** Ends all workers immediately. */
  async kill(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.workers.map((worker) => worker.kill()));
  }

  private async finish(worker: WorkerProcess, stopMilliseconds: number): Promise<void> {
    worker.call('finish').catch(() => undefined);
    if (await inTime(worker.ended, stopMilliseconds)) return;
    this.logger.warn({ worker: worker.name }, 'A worker did not stop in time and was killed.');
    await worker.kill();
  }

  /** Replaces a worker each time it ends. */
  private async keepRunning(worker: WorkerProcess, settings: Omit<WorkerSettings, 'share'>): Promise<void> {
    let failures = 0;
    for (let current = worker; ;) {
      const since = performance.now();
      const how = await current.ended;
      const wasRunning = this.running.delete(current);
      if (this.stopping.signal.aborted) return;
      if (wasRunning) {
        this.onLost(current);
        this.logger.error({ worker: current.name, how }, 'A worker ended unexpectedly; restarting it.');
        if (performance.now() - since >= stableMilliseconds) failures = 0;
      }
      const pause = failures === 0 ? 0 : Math.min(maxPauseMilliseconds, firstPauseMilliseconds * 2 ** (failures - 1));
      failures += 1;
      await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      current = await this.restart(current, settings);
    }
  }

  private async restart(old: WorkerProcess, settings: Omit<WorkerSettings, 'share'>): Promise<WorkerProcess> {
    const worker = new WorkerProcess(old.share);
    this.workers[old.share.index] = worker;
    this.restarts += 1;
    try {
      await worker.start(settings);
      await worker.call('run');
      this.running.add(worker);
      this.logger.warn({ worker: worker.name }, 'The worker is running again.');
    } catch (error) {
      if (!this.stopping.signal.aborted) {
        this.logger.error({ worker: worker.name, reason: errorMessage(error) }, 'The worker could not be restarted.');
      }
      await worker.kill();
    }
    return worker;
  }
}

/** Waits for a step of a worker. Returns false if it takes too long; a worker that has ended needs no more steps. */
async function inTime(step: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(milliseconds + graceMilliseconds, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([
      step.then(
        () => true,
        () => true,
      ),
      late,
    ]);
  } finally {
    timer.abort();
  }
}
