import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from './actor.js';

const largestUserAgent = 512;

/** Where the request comes from. */
export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: request.headers['user-agent']?.slice(0, largestUserAgent) };
}

/** Where the request comes from, as an argument of a public route. */
export const CurrentOrigin = createParamDecorator((_data: unknown, context: ExecutionContext): Origin => {
  return originOf(context.switchToHttp().getRequest<FastifyRequest>());
});

/** The principal of the request and where it comes from, as an argument of a route that changes something. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  if (request.principal === undefined) throw new Error('A public route has no principal.');
  return { ...request.principal, origin: originOf(request) };
});
