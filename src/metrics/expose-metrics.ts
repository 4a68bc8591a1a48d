import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.js';
import type { DurationMetric, MetricsService, Reading } from './metrics.service.js';
import { serveMetrics } from './serve-metrics.js';

/** For a client that disconnected before the response, as in the log. */
const clientClosedRequest = 499;

/**
 * Collects metrics, and serves them until the application closes, unless the primary does. Loaded only with
 * `METRICS_PORT`, because it would slow down every start.
 *
 * @throws StartupError if the port can't be listened on
 */
export async function exposeMetrics(
  metrics: MetricsService,
  fastify: FastifyInstance,
  where: { host: string; port: number } | 'by-primary',
  logger: Logger,
): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const duration of metrics.durations) exposeDuration(duration, registry);
  measureRequests(fastify, metrics.requests);
  // Features add their readings when the application starts, after this.
  fastify.addHook('onReady', (done) => {
    for (const reading of metrics.readings) exposeReading(reading, registry);
    done();
  });
  metrics.registry = registry;
  if (where === 'by-primary') return;
  const server = await serveMetrics(() => registry.metrics(), where, logger);
  metrics.url = server.url;
  fastify.addHook('onClose', () => server.close());
}

function exposeDuration(metric: DurationMetric, registry: Registry): void {
  const histogram = new DurationHistogram(metric);
  registry.registerMetric(histogram);
  metric.record = (labels, seconds) => histogram.record(labels, seconds);
}

function measureRequests(fastify: FastifyInstance, { record }: DurationMetric): void {
  const observe = ({ method, routeOptions }: FastifyRequest, status: number, milliseconds: number) => {
    const labels = {
      http_request_method: method,
      // Requests without a route share an empty one; their URLs could be anything.
      http_route: routeOptions.url ?? '',
      http_response_status_code: String(status),
    };
    record?.(labels, milliseconds / 1000);
  };
  fastify.addHook('onResponse', (request, reply, done) => {
    observe(request, reply.statusCode, reply.elapsedTime);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    observe(request, clientClosedRequest, 0);
    done();
  });
}

function exposeReading(reading: Reading, registry: Registry): void {
  const { kind, name, help, labelNames = [], ofInstances = 'sum', read } = reading;
  const options = { name, help, labelNames, aggregator: ofInstances, registers: [registry] };
  const forEachSample = (use: (labels: Record<string, string>, value: number) => void) => {
    const value = read();
    const samples = typeof value === 'number' ? [{ labels: {}, value }] : value;
    for (const sample of samples) use(sample.labels, sample.value);
  };
  if (kind === 'gauge') {
    new Gauge({
      ...options,
      collect() {
        this.reset();
        forEachSample((labels, sample) => this.set(labels, sample));
      },
    });
    return;
  }
  new Counter({
    ...options,
    collect() {
      this.reset();
      forEachSample((labels, sample) => this.inc(labels, sample));
    },
  });
}
