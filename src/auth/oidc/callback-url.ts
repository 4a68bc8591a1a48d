import type { FastifyRequest } from 'fastify';
import { AppError } from '../../common/errors/app-error.js';

/**
 * The address of the callback as the browser sees this server.
 *
 * @throws AppError 400 when the header `Host` is not one
 */
export function callbackUrlOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}/auth/oidc/callback`;
  if (URL.canParse(url)) return url;
  throw new AppError('malformed-request', 'The Host header names no host.');
}
