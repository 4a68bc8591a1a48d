import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Supervisor } from './supervisor.js';
import type { Metrics } from './worker-methods.js';
import type { WorkerProcess } from './worker-process.js';

/** A worker that doesn't respond in time is counted with its last metrics. */
const patienceMilliseconds = 2000;

/** Adds up the metrics of all workers. */
export class ClusterMetrics {
  /** The metrics of workers that have ended, so that sums don't shrink. */
  private past: Promise<Metrics> = Promise.resolve([]);
  private readonly own = new Registry();

  constructor(private readonly supervisor: Supervisor) {
    supervisor.onLost = (worker) => this.keep(worker);
    const registers = [this.own];
    new Gauge({
      name: 'keycard_workers',
      help: 'Workers that serve requests.',
      registers,
      collect() {
        this.set(supervisor.current.length);
      },
    });
    new Counter({
      name: 'keycard_worker_restarts_total',
      help: 'Restarts of workers that ended unexpectedly.',
      registers,
      collect() {
        this.reset();
        this.inc(supervisor.restarts);
      },
    });
  }

  /** Returns the metrics of the whole service in Prometheus' text format. */
  async read(): Promise<string> {
    await Promise.all(this.supervisor.current.map(refresh));
    const current = this.supervisor.current.map(({ metrics }) => metrics);
    return aggregate([...current, await this.past, await this.own.getMetricsAsJSON()]).metrics();
  }

  /** Keeps what a worker had counted when its metrics were last read. */
  private keep({ metrics }: WorkerProcess): void {
    const counted = metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
    this.past = this.past.then((past) => aggregate([past, counted]).getMetricsAsJSON());
  }
}

function aggregate(metrics: Metrics[]): Registry {
  return AggregatorRegistry.aggregate(metrics);
}

async function refresh(worker: WorkerProcess): Promise<void> {
  const timer = new AbortController();
  const late = delay(patienceMilliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  const metrics = await Promise.race([worker.call('readMetrics').catch(() => undefined), late]);
  timer.abort();
  worker.metrics = metrics ?? worker.metrics;
}
