import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ApiKeyVerifierService } from '../api-keys/api-key-verifier.service.js';
import { meters } from '../common/rules/meters.js';
import { costDecimals } from '../common/rules/price-rules.js';
import { ServiceConfig } from '../config/service-config.js';
import { type EngineLoad, Engines } from '../engines/engines.module.js';
import { MetricsService, type Reading, type Sample } from '../metrics/metrics.service.js';
import { UsageRecorderService } from '../usage/usage-recorder.service.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';

/** Adds the metrics of requests under `/v1`. */
@Injectable()
export class GatewayMetricsService implements OnModuleInit {
  constructor(
    private readonly metrics: MetricsService,
    private readonly verifier: ApiKeyVerifierService,
    private readonly recorder: UsageRecorderService,
    private readonly engines: Engines,
    private readonly upstreams: UpstreamsService,
    @Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'models'>,
  ) {}

  onModuleInit(): void {
    this.addBatches();
    this.addUsage();
    this.addEngines();
    this.metrics.add({
      kind: 'gauge',
      name: 'keycard_upstream_circuit_open',
      help: 'Whether an upstream gets no requests because it has failed repeatedly: 1 or 0.',
      labelNames: ['model', 'server_address'],
      ofInstances: 'max',
      read: () => this.readCircuits(),
    });
  }

  private addBatches(): void {
    const { verifier, recorder } = this;
    this.metrics.add(
      {
        kind: 'counter',
        name: 'keycard_verifications_total',
        help: 'API keys looked up, valid or not.',
        read: () => verifier.batches.itemCount,
      },
      {
        kind: 'counter',
        name: 'keycard_verification_batches_total',
        help: 'Statements that looked API keys up.',
        read: () => verifier.batches.batchCount,
      },
      {
        kind: 'gauge',
        name: 'keycard_verification_queue_length',
        help: 'Requests that wait for their API key to be looked up.',
        read: () => verifier.batches.waitingCount,
      },
      {
        kind: 'counter',
        name: 'keycard_usage_writes_total',
        help: 'Statements that recorded usage.',
        read: () => recorder.batches.batchCount,
      },
      {
        kind: 'gauge',
        name: 'keycard_usage_queue_length',
        help: 'Requests whose usage waits to be recorded.',
        read: () => recorder.batches.waitingCount,
      },
    );
  }

  private addUsage(): void {
    const { totals } = this.recorder;
    this.metrics.add(
      {
        kind: 'counter',
        name: 'keycard_model_requests_total',
        help: 'Requests by model or service, and how they ended.',
        labelNames: ['model', 'outcome'],
        *read() {
          for (const [model, { success, failure }] of totals) {
            yield { labels: { model, outcome: 'success' }, value: success };
            yield { labels: { model, outcome: 'failure' }, value: failure };
          }
        },
      },
      {
        kind: 'counter',
        name: 'keycard_limit_rejections_total',
        help: 'Requests rejected because of a limit.',
        read: () => Array.from(totals.values()).reduce((sum, { limited }) => sum + limited, 0),
      },
      ...meters.map(({ name, column, description }): Reading => ({
        kind: 'counter',
        name: `keycard_${column}_total`,
        help: description,
        labelNames: ['model'],
        *read() {
          for (const [model, used] of totals) if (used[name]) yield { labels: { model }, value: used[name] };
        },
      })),
      {
        kind: 'counter',
        name: 'keycard_cost_total',
        help: 'Cost of requests to models with a price, in the currency of the models file.',
        labelNames: ['model'],
        *read() {
          for (const [model, { cost }] of totals) {
            if (cost !== undefined) yield { labels: { model }, value: Number(cost) / 10 ** costDecimals };
          }
        },
      },
    );
  }

  private addEngines(): void {
    const gauge = (
      name: string,
      help: string,
      valueOf: (load: EngineLoad) => number,
      ofInstances: Reading['ofInstances'] = 'sum',
    ) => {
      const read = () =>
        this.engines.loads().map((load) => ({ labels: { engine: load.engine }, value: valueOf(load) }));
      this.metrics.add({ kind: 'gauge', name, help, labelNames: ['engine'], ofInstances, read });
    };
    gauge(
      'keycard_engine_queue_length',
      'Texts or documents that wait for an embedded engine.',
      ({ waiting }) => waiting,
    );
    gauge(
      'keycard_engine_busy_workers',
      'Workers of an embedded engine that are at work.',
      ({ busyWorkers }) => busyWorkers,
    );
    gauge('keycard_engine_workers', 'Workers that an embedded engine may use.', ({ workers }) => workers);
    gauge(
      'keycard_engine_failed',
      'Whether an embedded engine has failed: 1 or 0.',
      ({ hasFailed }) => Number(hasFailed),
      'max',
    );
  }

  private *readCircuits(): Iterable<Sample> {
    for (const { id, servedBy } of this.config.models) {
      if (!('targets' in servedBy)) continue;
      const isOpen = new Map<string, boolean>();
      for (const target of servedBy.targets) {
        const { host } = new URL(target.baseUrl);
        isOpen.set(host, isOpen.get(host) === true || this.upstreams.statusOf(target).circuit === 'open');
      }
      for (const [host, value] of isOpen) yield { labels: { model: id, server_address: host }, value: Number(value) };
    }
  }
}
