import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** nginx's status for a client that closed the connection before the response. */
const clientClosedRequest = 499;

/** Requested automatically, many times a minute or with each page. */
const routine = /^\/(health|assets)\//;

/** Logs one line per request; never headers, bodies or URLs, which may contain secrets. */
export function logRequests(fastify: FastifyInstance, logger: Logger): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    log(logger, request, reply.statusCode, reply.elapsedTime);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    log(logger, request, clientClosedRequest, undefined);
    done();
  });
}

function log(logger: Logger, request: FastifyRequest, status: number, elapsed: number | undefined): void {
  const route = request.routeOptions.url ?? null;
  const entry = {
    requestId: request.id,
    principalId: request.principal?.id,
    method: request.method,
    route,
    status,
    milliseconds: elapsed === undefined ? undefined : Math.round(elapsed * 100) / 100,
  };
  if (route !== null && routine.test(route)) logger.debug(entry, 'request');
  else logger.info(entry, 'request');
}
