import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { errorCode } from '../common/errors/error-utils.js';
import { StartupError } from '../common/startup-error.js';
import type { DurationMetric, MetricsService, Reading } from './metrics.service.js';

/** From half a millisecond to two minutes: lookups and documents of many pages share one set of series. */
const bucketSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const requestTimeoutMilliseconds = 10_000;
/** For a client that disconnected before the response, as in the log. */
const clientClosedRequest = 499;

/**
 * Serves metrics in Prometheus' text format until the application closes. Loaded only with `METRICS_PORT`, because it
 * would slow down every start.
 *
 * @throws StartupError if the port can't be listened on
 */
export async function exposeMetrics(
  metrics: MetricsService,
  fastify: FastifyInstance,
  { host, port }: { host: string; port: number },
  logger: Logger,
): Promise<void> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const duration of [metrics.requests, metrics.upstreamRequests]) exposeDuration(duration, registry);
  measureRequests(fastify, metrics.requests);
  // Features add their readings when the application starts, after this.
  fastify.addHook('onReady', (done) => {
    for (const reading of metrics.readings) exposeReading(reading, registry);
    done();
  });
  const server = createServer({ requestTimeout: requestTimeoutMilliseconds }, (request, response) => {
    respond(request, response, registry).catch((error: unknown) => {
      logger.error({ err: error }, 'Metrics could not be read.');
      response.writeHead(500).end();
    });
  });
  fastify.addHook('onClose', (_instance, done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
  metrics.url = await listen(server, host, port);
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw new StartupError(`METRICS_PORT ${port} on ${host} can't be used (${errorCode(error)}); set another one.`);
  }
  const { port: actualPort } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${actualPort}/metrics`;
}

function exposeDuration(metric: DurationMetric, registry: Registry): void {
  const { name, help, labelNames } = metric;
  const histogram = new Histogram({ name, help, labelNames, buckets: bucketSeconds, registers: [registry] });
  metric.record = (labels, seconds) => histogram.observe(labels, seconds);
}

function measureRequests(fastify: FastifyInstance, { record }: DurationMetric): void {
  const observe = ({ method, routeOptions }: FastifyRequest, status: number, milliseconds: number) => {
    // Requests without a route share an empty one; their URLs could be anything.
    const labels = { http_request_method: method, http_route: routeOptions.url ?? '' };
    record?.({ ...labels, http_response_status_code: String(status) }, milliseconds / 1000);
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

function exposeReading({ kind, name, help, labelNames = [], read }: Reading, registry: Registry): void {
  const options = { name, help, labelNames, registers: [registry] };
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

async function respond({ method, url }: IncomingMessage, response: ServerResponse, registry: Registry): Promise<void> {
  if (url?.split('?')[0] !== '/metrics') {
    response.writeHead(404).end();
  } else if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
  } else {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  }
}
