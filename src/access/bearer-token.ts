import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../common/errors/app-error.js';

/** What every API key starts with, so that the two kinds of credential can be told apart. */
export const apiKeyPrefix = 'kc_';

/**
 * The token of `Authorization: Bearer <token>` (RFC 6750 §2.1), or undefined when there is no such header.
 *
 * @throws AppError 401 when the header is sent twice or has another scheme
 */
export function readBearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  if (isRepeated(request, 'authorization')) {
    throw unauthenticated('invalid-credential', 'The Authorization header was sent more than once; send it once.');
  }
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw unauthenticated('invalid-credential', 'The Authorization header must have the form "Bearer <token>".');
  }
  return token;
}

/** Node keeps only the first of some repeated headers; the raw ones tell. */
export function isRepeated(request: FastifyRequest, name: string): boolean {
  const { rawHeaders } = request.raw;
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) seen++;
  }
  return seen > 1;
}
