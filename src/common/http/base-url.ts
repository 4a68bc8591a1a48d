import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';

const host = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * Where the client has sent the request, such as `http://127.0.0.1:3000`; behind a trusted proxy, what that says.
 *
 * @throws AppError 400 when the header `Host` is not one
 */
export function baseUrlOf(request: FastifyRequest): string {
  if (host.test(request.host)) return `${request.protocol}://${request.host}`;
  throw new AppError('malformed-request', 'The header Host must be a host name, with or without a port.');
}
