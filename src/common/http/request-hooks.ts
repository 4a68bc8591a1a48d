import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError, routeNotFound } from '../errors/app-error.js';
import { toErrorResponse } from '../errors/error-response.js';
import { maxRequestIdLength } from '../rules/text-rules.js';
import { normalizeAddress, unknownAddress } from './client-address.js';
import type { OutageLog } from '../errors/outage-log.js';
import type { LingeringConnections } from './lingering-connections.js';

interface RequestHookOptions {
  /** `PUBLIC_URL`, if set. */
  readonly publicUrl: string | undefined;
  readonly lingering: LingeringConnections;
  readonly logger: Logger;
  readonly outages: OutageLog;
}

/** Adds the hooks of all requests, on every route. */
export function addRequestHooks(
  fastify: FastifyInstance,
  { publicUrl, lingering, logger, outages }: RequestHookOptions,
): void {
  setCommonHeaders(fastify, publicUrl);
  checkRequests(fastify);
  discardUnreadBodies(fastify, lingering);
  logRequests(fastify, logger);
  noteSuccesses(fastify, outages);
}

const acceptableId = new RegExp(`^[\\w.:-]{1,${maxRequestIdLength}}$`);

/** Our secrets, whole or in part. */
const secret = /kcs?_[0-9A-Za-z]{6}/;

/**
 * The client's `x-request-id` if it's harmless in logs and headers, otherwise a new UUID. As it's logged, stored and sent to
 * upstreams, it may not contain one of our secrets.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptableId.test(given) && !secret.test(given) ? given : randomUUID();
}

/**
 * Sets the headers of every response: the request id; `nosniff`, so that browsers don't guess a content type; and, over
 * TLS, the instruction to use nothing else for a year (RFC 6797). Browsers ignore that over plain HTTP, so there it's
 * sent only if `PUBLIC_URL` shows that a proxy terminates TLS.
 */
function setCommonHeaders(fastify: FastifyInstance, publicUrl: string | undefined): void {
  const isPublicWithTls = publicUrl?.startsWith('https:') === true;
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isPublicWithTls || request.protocol === 'https') {
      void reply.header('strict-transport-security', 'max-age=31536000');
    }
    done();
  });
}

/** Rejects requests that no route can serve, before their body is read. */
function checkRequests(fastify: FastifyInstance): void {
  // Without a listener, Node responds to an unknown expectation itself.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  const findAiRoute = collectAiRoutes(fastify);
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { host, expect } = request.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') {
      done(new AppError('malformed-request', 'The Host header is required.'));
    } else if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
      done(new AppError('expectation-failed', 'The only expectation supported is 100-continue.'));
    } else if (request.is404) done(routeNotFound(findAiRoute(request)));
    else done();
  });
}

/**
 * Returns a function that finds the route a client means whose base URL lacks `/v1` or has it twice: OpenAI's clients
 * need it there, Mistral's add it.
 */
function collectAiRoutes(fastify: FastifyInstance): (request: FastifyRequest) => string | undefined {
  const routes = new Set<string>();
  fastify.addHook('onRoute', ({ method, url }) => {
    if (url.startsWith('/v1/')) for (const one of [method].flat()) routes.add(`${one} ${url}`);
  });
  return ({ method, url }) => {
    const [path = ''] = url.split('?');
    const route = `${method} ${path.replace(/^(\/v1)*\//, '/v1/')}`;
    return routes.has(route) ? route : undefined;
  };
}

/** Lets clients read a response that is sent before their body has arrived, such as a 401. */
function discardUnreadBodies(fastify: FastifyInstance, lingering: LingeringConnections): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete) lingering.discardBody(raw, reply.raw);
    done(null, payload);
  });
}

/** nginx's status for a client that closed the connection before the response. */
const clientClosedRequest = 499;

/** Requested automatically, many times a minute or with each page. */
const routine = /^\/(health|assets)\//;

/** Logs one line per request; never headers, bodies or URLs, which may contain secrets. */
function logRequests(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply.statusCode, reply.elapsedTime);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    logRequest(logger, request, clientClosedRequest, undefined);
    done();
  });
}

/** The principal of a request is read from the database, and readiness depends on it. */
function noteSuccesses(fastify: FastifyInstance, outages: OutageLog): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const hasUsedDatabase = request.principal !== undefined || request.routeOptions.url === '/health/ready';
    if (hasUsedDatabase && reply.statusCode < 500) outages.succeed();
    done();
  });
}

function logRequest(logger: Logger, request: FastifyRequest, status: number, elapsed: number | undefined): void {
  const route = request.routeOptions.url ?? null;
  const entry = {
    requestId: request.id,
    trace_id: request.trace?.traceId,
    principalId: request.principal?.id,
    organizationId: request.principal?.organizationId,
    address: normalizeAddress(request.ip) ?? unknownAddress,
    method: request.method,
    route,
    status,
    milliseconds: elapsed === undefined ? undefined : Math.round(elapsed * 100) / 100,
  };
  if (route !== null && routine.test(route)) logger.debug(entry, 'request');
  else logger.info(entry, 'request');
}

/**
 * Responds to URLs that can't be decoded, such as `/api-keys/%zz`. Fastify runs no hooks for such a request, so
 * everything they do is done here.
 */
export function rejectMalformedUrls({ lingering, logger }: Pick<RequestHookOptions, 'lingering' | 'logger'>) {
  return (cause: Error, { id: requestId, url, raw, method }: FastifyRequest, reply: FastifyReply): void => {
    const error = new AppError('malformed-request', 'The URL is not well-formed.', { cause });
    const { status, headers, body } = toErrorResponse(error, { url, requestId });
    if (!raw.complete) lingering.discardBody(raw, reply.raw);
    const text = JSON.stringify(body);
    reply.raw.writeHead(status, {
      ...headers,
      'content-length': Buffer.byteLength(text),
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
    });
    reply.raw.end(text);
    logger.info({ requestId, method, route: null, status }, 'request');
  };
}
