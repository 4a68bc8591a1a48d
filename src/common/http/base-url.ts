import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';

const host = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * The base of links to this service, such as `https://keycard.example.com`: `PUBLIC_URL` if set, regardless of the
 * request's headers; otherwise the URL that the client used, as reported by a trusted proxy.
 *
 * @throws AppError 400 if `PUBLIC_URL` isn't set and the `Host` header isn't a host name
 */
export function baseUrlOf(request: FastifyRequest, { publicUrl }: { publicUrl?: string | undefined }): string {
  if (publicUrl !== undefined) return publicUrl;
  const url = `${request.protocol}://${request.host}`;
  if (host.test(request.host) && URL.canParse(url)) return url;
  throw new AppError('malformed-request', 'The Host header must be a host name, with or without a port.');
}
