import type { FastifyRequest } from 'fastify';
import { unauthenticated } from '../common/errors/app-error.js';

/** Prefix of every API key, which distinguishes them from JWTs. */
export const apiKeyPrefix = 'kc_';

/**
 * Returns the token in `Authorization: Bearer <token>` (RFC 6750 §2.1), or undefined without this header.
 *
 * @throws AppError 401 if the header is repeated or has another scheme
 */
export function readBearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  if (isRepeated(request, 'authorization')) {
    throw unauthenticated('invalid-credential', 'The Authorization header was sent more than once. Send it once.');
  }
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw unauthenticated('invalid-credential', 'The Authorization header must have the form "Bearer <token>".');
  }
  return token;
}

/** Whether a header was sent more than once. Node keeps only the first of some, but `rawHeaders` has all. */
export function isRepeated(request: FastifyRequest, name: string): boolean {
  const { rawHeaders } = request.raw;
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index];
    if (header?.length === name.length && header.toLowerCase() === name) seen++;
  }
  return seen > 1;
}
