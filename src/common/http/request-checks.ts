import type { FastifyInstance } from 'fastify';
import { AppError, routeNotFound } from '../errors/app-error.js';

/** Rejects requests that no route can serve, before their body is looked at. */
export function checkRequests(fastify: FastifyInstance): void {
  // Without a listener Node responds to an unknown expectation itself.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { host, expect } = request.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') done(hostIsMissing());
    else if (expect !== undefined && !/\b100-continue\b/i.test(expect)) done(unknownExpectation());
    else if (request.is404) done(routeNotFound());
    else done();
  });
}

function hostIsMissing(): AppError {
  return new AppError('malformed-request', 'The Host header is required.');
}

function unknownExpectation(): AppError {
  return new AppError('expectation-failed', 'The only expectation supported is 100-continue.');
}
