import { setTimeout as delay } from 'node:timers/promises';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { Supervisor } from './supervisor.js';
import type { Metrics } from './instance-methods.js';
import type { InstanceProcess } from './instance-process.js';

/** An instance that doesn't respond in time is counted with its last metrics. */
const patienceMilliseconds = 2000;

/** Adds up the metrics of all instances. */
export class ClusterMetrics {
  /** The metrics of instances that have ended, so that sums don't shrink. */
  private past: Promise<Metrics> = Promise.resolve([]);
  private readonly own = new Registry();

  constructor(private readonly supervisor: Supervisor) {
    supervisor.onLost = (instance) => this.keep(instance);
    const registers = [this.own];
    new Gauge({
      name: 'keycard_instances',
      help: 'Instances that serve requests.',
      registers,
      collect() {
        this.set(supervisor.current.length);
      },
    });
    new Counter({
      name: 'keycard_instance_restarts_total',
      help: 'Restarts of instances that ended unexpectedly.',
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

  /** Keeps what an instance had counted when its metrics were last read. */
  private keep({ metrics }: InstanceProcess): void {
    const counted = metrics.filter(({ type }) => ['counter', 'histogram'].includes(String(type)));
    this.past = this.past.then((past) => aggregate([past, counted]).getMetricsAsJSON());
  }
}

function aggregate(metrics: Metrics[]): Registry {
  return AggregatorRegistry.aggregate(metrics);
}

async function refresh(instance: InstanceProcess): Promise<void> {
  const timer = new AbortController();
  const late = delay(patienceMilliseconds, undefined, { signal: timer.signal }).catch(() => undefined);
  const metrics = await Promise.race([instance.call('readMetrics').catch(() => undefined), late]);
  timer.abort();
  instance.metrics = metrics ?? instance.metrics;
}
