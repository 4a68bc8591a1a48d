import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from './actor.js';

const longestUserAgent = 512;

/** The origin of a request. */
export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: request.headers['user-agent']?.slice(0, longestUserAgent) };
}

/** Parameter decorator: the origin of the request, for public routes. */
export const CurrentOrigin = createParamDecorator((_data: unknown, context: ExecutionContext): Origin => {
  return originOf(context.switchToHttp().getRequest<FastifyRequest>());
});

/** Parameter decorator: the principal and the origin of the request, for routes that change something. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  if (request.principal === undefined) throw new Error('A public route has no principal.');
  return { ...request.principal, origin: originOf(request) };
});
