import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { errorMessage } from '../common/errors/error-utils.js';
import type { FirstStart } from '../auth/first-start.js';
import { InstanceProcess } from './instance-process.js';
import type { InstanceSettings } from './instance-methods.js';

/** Pause before the second restart in a row, doubled for each further one; the first is immediate. */
const firstPauseMilliseconds = 500;
const maxPauseMilliseconds = 30_000;
/** Uptime after which the next restart is immediate again. */
const stableMilliseconds = 60_000;
/** What an instance may take for a step in addition to its time limit, before it's killed. */
const graceMilliseconds = 12_000;

interface StopLimits {
  drainMilliseconds: number;
  stopMilliseconds: number;
  /** Aborts all waiting. */
  cut: AbortSignal | undefined;
}

/** Starts instances, and keeps them running until `stop`. */
export class Supervisor {
  restarts = 0;
  /** Called when an instance has ended unexpectedly. */
  onLost: (instance: InstanceProcess) => void = () => undefined;
  private readonly instances: InstanceProcess[];
  private readonly running = new Set<InstanceProcess>();
  private readonly stopping = new AbortController();

  /** Starts the processes, which load the application in the meantime. */
  constructor(
    count: number,
    private readonly logger: Logger,
  ) {
    this.instances = Array.from({ length: count }, (_, index) => new InstanceProcess({ index, count }));
  }

  /** Instances that serve requests. */
  get current(): readonly InstanceProcess[] {
    return [...this.running];
  }

  /**
   * Has all instances listen and report ready.
   *
   * @throws the first instance's error; the caller must call `kill`
   */
  async start(settings: Omit<InstanceSettings, 'share'>): Promise<{ url: string; firstStart: FirstStart | undefined }> {
    const [first] = this.instances;
    const [url] = await Promise.all(this.instances.map((instance) => instance.start(settings)));
    if (first === undefined || url === undefined) throw new Error('There are no instances.');
    // After listening: a failed start would create the administrator and lose the password.
    const firstStart = await first.call('seed');
    await Promise.all(this.instances.map((instance) => instance.call('run')));
    for (const instance of this.instances) {
      this.running.add(instance);
      void this.keepRunning(instance, settings);
    }
    return { url, firstStart };
  }

  /**
   * Stops without failing requests. All instances drain together, so that load balancers notice, then close their listeners
   * one by one: until the last one does, there is another for new connections. Requests in flight finish in parallel.
   */
  async stop({ drainMilliseconds, stopMilliseconds, cut }: StopLimits): Promise<void> {
    this.stopping.abort();
    const instances = this.current;
    await Promise.all(
      this.instances.filter((instance) => !this.running.has(instance)).map((instance) => instance.kill()),
    );
    const cutAll = () => instances.forEach((instance) => void instance.call('cut').catch(() => undefined));
    if (cut?.aborted) cutAll();
    cut?.addEventListener('abort', cutAll);
    await Promise.all(
      instances.map((instance) => inTime(instance.call('drain', drainMilliseconds), drainMilliseconds)),
    );
    const finished: Promise<void>[] = [];
    for (const instance of instances) {
      await inTime(instance.call('stopListening'), 0);
      finished.push(this.finish(instance, stopMilliseconds));
    }
    await Promise.all(finished);
  }

  /** Ends all instances immediately. */
  async kill(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.instances.map((instance) => instance.kill()));
  }

  private async finish(instance: InstanceProcess, stopMilliseconds: number): Promise<void> {
    instance.call('finish').catch(() => undefined);
    if (await inTime(instance.ended, stopMilliseconds)) return;
    this.logger.warn({ instance: instance.name }, 'An instance did not stop in time and was killed.');
    await instance.kill();
  }

  /** Replaces an instance each time it ends. */
  private async keepRunning(instance: InstanceProcess, settings: Omit<InstanceSettings, 'share'>): Promise<void> {
    let failures = 0;
    for (let current = instance; ;) {
      const since = performance.now();
      const how = await current.ended;
      const wasRunning = this.running.delete(current);
      if (this.stopping.signal.aborted) return;
      if (wasRunning) {
        this.onLost(current);
        this.logger.error({ instance: current.name, how }, 'An instance ended unexpectedly; restarting it.');
        if (performance.now() - since >= stableMilliseconds) failures = 0;
      }
      const pause = failures === 0 ? 0 : Math.min(maxPauseMilliseconds, firstPauseMilliseconds * 2 ** (failures - 1));
      failures += 1;
      await delay(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      current = await this.restart(current, settings);
    }
  }

  private async restart(old: InstanceProcess, settings: Omit<InstanceSettings, 'share'>): Promise<InstanceProcess> {
    const instance = new InstanceProcess(old.share);
    this.instances[old.share.index] = instance;
    this.restarts += 1;
    try {
      await instance.start(settings);
      await instance.call('run');
      this.running.add(instance);
      this.logger.warn({ instance: instance.name }, 'The instance is running again.');
    } catch (error) {
      if (!this.stopping.signal.aborted) {
        this.logger.error(
          { instance: instance.name, reason: errorMessage(error) },
          'The instance could not be restarted.',
        );
      }
      await instance.kill();
    }
    return instance;
  }
}

/** Waits for a step of an instance. Returns false if it takes too long; an instance that has ended needs no more steps. */
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
