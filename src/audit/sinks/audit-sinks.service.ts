import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ServiceConfig } from '../../config/service-config.js';
import { MetricsService } from '../../metrics/metrics.service.js';
import { openSink } from './open-sink.js';
import { SinkDelivery } from './sink-delivery.js';

/** Sends audit events to the configured sinks. Each has its own loop, so that one that hangs delays nothing else. */
@Injectable()
export class AuditSinksService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Audit');
  private readonly stopping = new AbortController();
  private readonly deliveries: ReadonlyMap<string, SinkDelivery>;
  private running: Promise<unknown> | undefined;

  constructor(
    dataSource: DataSource,
    @Inject(ServiceConfig) { auditSinks = [] }: Pick<ServiceConfig, 'auditSinks'>,
    metrics: MetricsService,
  ) {
    const toDelivery = (sink: (typeof auditSinks)[number]): [string, SinkDelivery] => [
      sink.name,
      new SinkDelivery(sink.name, () => openSink(sink), dataSource, this.logger),
    ];
    this.deliveries = new Map(auditSinks.map(toDelivery));
    this.addMetrics(metrics);
  }

  onApplicationBootstrap(): void {
    const { signal } = this.stopping;
    this.running = Promise.all(Array.from(this.deliveries.values(), (delivery) => delivery.run(signal)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private addMetrics(metrics: MetricsService): void {
    const read = (valueOf: (delivery: SinkDelivery) => number | undefined) => () =>
      Array.from(this.deliveries, ([sink, delivery]) => ({ labels: { sink }, value: valueOf(delivery) })).flatMap(
        ({ labels, value }) => (value === undefined ? [] : [{ labels, value }]),
      );
    metrics.add(
      {
        kind: 'gauge',
        name: 'keycard_audit_sink_lag_seconds',
        help: 'Age of the oldest audit event that the sink has not acknowledged, on the replica that delivers.',
        labelNames: ['sink'],
        read: read(({ lagSeconds }) => lagSeconds),
      },
      {
        kind: 'counter',
        name: 'keycard_audit_sink_events_total',
        help: 'Audit events that the sink has acknowledged to this replica.',
        labelNames: ['sink'],
        read: read(({ delivered }) => delivered),
      },
      {
        kind: 'counter',
        name: 'keycard_audit_sink_failures_total',
        help: 'Failed attempts of this replica to deliver to the sink.',
        labelNames: ['sink'],
        read: read(({ failures }) => failures),
      },
    );
  }
}
