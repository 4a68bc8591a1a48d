import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { BodyReader } from './body-reader.js';
import type { LingeringConnections } from './lingering-connections.js';

/** Announced bodies up to this size are worth discarding to keep the connection. */
const cheapBytes = 64 * 1024;

/**
 * Lets clients see a response that is sent before their body has arrived, such as a 401. Many clients write the whole
 * body before they read. Small bodies are discarded and the connection stays usable. Otherwise the response announces
 * `Connection: close` and the connection lingers.
 */
export function discardUnreadBodies(fastify: FastifyInstance, lingering: LingeringConnections): void {
  fastify.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete) discardBody(raw, reply.raw, lingering);
    done(null, payload);
  });
}

/** Prepares a response whose request has not been read completely. Call it before the headers are sent. */
export function discardBody(request: IncomingMessage, response: ServerResponse, lingering: LingeringConnections): void {
  const { socket, headers } = request;
  const announced = headers['content-length'];
  const isChunked = headers['transfer-encoding'] !== undefined;
  // A request without a body is complete only after its handler was called.
  if (!isChunked && (announced === undefined || announced === '0')) return;
  BodyReader.fail(request, new AppError('malformed-request', 'The body was not read to its end.'));
  request.resume();
  // Node closes the connection in this way after a response that announces it.
  socket.destroySoon = () => lingering.close(socket);
  const hasStalled = response.statusCode === 408;
  if (isChunked || hasStalled || Number(announced) > cheapBytes) {
    response.setHeader('connection', 'close');
    return;
  }
  response.once('finish', () => lingering.closeUnlessComplete(request));
}
