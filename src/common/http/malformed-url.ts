import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.js';
import { toErrorResponse } from '../errors/error-response.js';
import type { LingeringConnections } from './lingering-connections.js';
import { discardBody } from './unread-body.js';

/**
 * Responds to URLs that cannot be decoded, such as `/api-keys/%zz`. Fastify runs no hooks for such a request, so
 * everything that they do is done here.
 */
export function rejectMalformedUrls(lingering: LingeringConnections, logger: Logger) {
  return (cause: Error, { id: requestId, url, raw, method }: FastifyRequest, reply: FastifyReply): void => {
    const error = new AppError('malformed-request', 'The URL is not well-formed.', { cause });
    const { status, headers, body } = toErrorResponse(error, { url, requestId });
    if (!raw.complete) discardBody(raw, reply.raw, lingering);
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
