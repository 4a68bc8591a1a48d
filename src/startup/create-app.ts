import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { useOwnStrategies } from '../access/own-strategies.js';
import { Pipeline } from '../ai-gateway/pipeline.js';
import { routeGroups } from '../ai-gateway/tasks/tasks.js';
import { ApiKeyStrategy } from '../api-keys/api-key.strategy.js';
import { AppModule } from '../app.module.js';
import { JwtStrategy } from '../auth/guards/access.guards.js';
import { ErrorFilter } from '../common/errors/error.filter.js';
import { OutageLog } from '../common/errors/outage-log.js';
import { BodyMemory } from '../common/http/body-memory.js';
import { addBodyParsers } from '../common/http/body-parsers.js';
import { type CompressedText, compressText, sendCompressed } from '../common/http/compressed-text.js';
import { ConnectionErrors } from '../common/http/connection-errors.js';
import { deferContinue } from '../common/http/expect-continue.js';
import { defaultHttpLimits, divideLimits } from '../common/http/http-limits.js';
import { LingeringConnections } from '../common/http/lingering-connections.js';
import { limitConnections, OpenConnections } from '../common/http/open-connections.js';
import { addRequestHooks, rejectMalformedUrls, requestIdOf } from '../common/http/request-hooks.js';
import { disconnectSlowReaders } from '../common/http/slow-readers.js';
import { NestLogger } from '../common/logging/nest-logger.js';
import { RequestValidationPipe } from '../common/validation/validation.pipe.js';
import type { ServiceConfig } from '../config/service-config.js';
import { serveDashboard } from '../dashboard/serve-dashboard.js';
import { rateLimitHeaderNames } from '../limits/rate-limit-headers.js';
import { MetricsService } from '../metrics/metrics.service.js';
import { createOpenApiDocument } from '../openapi/create-document.js';
import { traceRequests } from '../tracing/trace-requests.js';

const maxBodyBytes = 100 * 1024;

/** Creates the application without listening, for the service and its tests. */
export async function createApp(config: ServiceConfig, logger: Logger): Promise<NestFastifyApplication> {
  const limits = divideLimits({ ...defaultHttpLimits, ...config.http }, config.instanceShare);
  const lingering = new LingeringConnections(limits.linger);
  const connectionErrors = new ConnectionErrors(lingering, logger);
  const adapter = new FastifyAdapter({
    logger: false,
    skipMiddie: true,
    bodyLimit: maxBodyBytes,
    requestTimeout: limits.requestMilliseconds,
    http: {
      headersTimeout: limits.headersMilliseconds,
      connectionsCheckingInterval: limits.checkIntervalMilliseconds,
      // `addRequestHooks` checks it instead of Node.
      requireHostHeader: false,
    },
    clientErrorHandler: connectionErrors.handle,
    frameworkErrors: rejectMalformedUrls({ lingering, logger }),
    trustProxy: trustedProxies(config.trustProxy),
    // IDs of any length get the same 404; Node limits the length of the URL.
    routerOptions: { maxParamLength: 16 * 1024 },
    rewriteUrl: ({ url = '/' }) => withModelAsOneSegment(url),
    genReqId: requestIdOf,
    // Requests on open connections are served until the service has stopped.
    return503OnClosing: false,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), adapter, {
    logger: new NestLogger(logger),
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: false,
  });
  const fastify = adapter.getInstance();
  deferContinue(fastify.server);
  const connections = new OpenConnections(fastify.server);
  connectionErrors.watch(fastify.server, connections);
  disconnectSlowReaders(fastify.server, limits.reader, (socket) => connections.isServing(socket), logger);
  limitConnections(fastify.server, config.maxConnections, logger, config.instanceShare);
  useOwnStrategies(fastify, { jwt: app.get(JwtStrategy), 'api-key': app.get(ApiKeyStrategy) });
  fastify.decorateRequest('principal', undefined);
  fastify.decorateRequest('admission', undefined);
  await addTracing(fastify, config, logger);
  const outages = new OutageLog(logger);
  addRequestHooks(fastify, { publicUrl: config.publicUrl, lingering, logger, outages });
  if (config.metrics !== undefined) {
    const { exposeMetrics } = await import('../metrics/expose-metrics.js');
    await exposeMetrics(app.get(MetricsService), fastify, config.metrics, logger);
  }
  addBodyParsers(fastify, { idleMilliseconds: limits.bodyIdleMilliseconds, memory: app.get(BodyMemory) });

  app.useGlobalFilters(new ErrorFilter(logger, outages));
  app.useGlobalPipes(new RequestValidationPipe());
  if (config.corsOrigins.length > 0) {
    app.enableCors({
      origin: config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'location',
        'x-request-id',
        'retry-after',
        'x-should-retry',
        ...rateLimitHeaderNames,
        ...routeGroups.flatMap(({ exposedHeaders = [] }) => exposedHeaders),
        'content-disposition',
        'www-authenticate',
      ],
    });
  }
  app.get(Pipeline).register(fastify, logger);
  const describe = serveOpenApi(app, fastify);
  if (config.dashboardFolder !== undefined) serveDashboard(fastify, config.dashboardFolder, { describe, logger });
  await app.init();
  return app;
}

/**
 * Serves `/openapi.json`. The document is created at its first use.
 *
 * @returns the document, for `/docs`
 */
function serveOpenApi(app: NestFastifyApplication, fastify: FastifyInstance): () => OpenAPIObject {
  let document: OpenAPIObject | undefined;
  let text: CompressedText | undefined;
  const describe = () => (document ??= createOpenApiDocument(app));
  fastify.get('/openapi.json', (request, reply) => {
    text ??= compressText(JSON.stringify(describe()));
    return sendCompressed(request, reply.type('application/json; charset=utf-8'), text);
  });
  return describe;
}

/** OpenTelemetry takes time and memory to load, so it's loaded only if spans are exported. */
async function addTracing(fastify: FastifyInstance, { otel }: ServiceConfig, logger: Logger): Promise<void> {
  if (otel === undefined) {
    traceRequests(fastify, undefined);
    return;
  }
  const { OtlpRecorder } = await import('../tracing/otlp-recorder.js');
  const recorder = new OtlpRecorder(otel, logger);
  traceRequests(fastify, recorder);
  fastify.addHook('onClose', () => recorder.stop());
}

/** Fastify needs a function to count hops. */
function trustedProxies(setting: ServiceConfig['trustProxy']) {
  return typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting;
}

const modelsPrefix = '/v1/models/';

/**
 * The URL of a model with its name as one segment of the path. Names such as `org/name` contain slashes, which some
 * clients send as they are and others as `%2F`; the router takes the second form.
 */
function withModelAsOneSegment(url: string): string {
  if (!url.startsWith(modelsPrefix)) return url;
  const end = url.indexOf('?');
  const name = url.slice(modelsPrefix.length, end === -1 ? undefined : end);
  return modelsPrefix + name.replaceAll('/', '%2F') + (end === -1 ? '' : url.slice(end));
}
