import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { normalizeAddress, unknownAddress } from '../common/http/client-address.js';
import type { Permission } from './permissions.js';

/** The authenticated user, service account or API key. Services receive it as an argument. */
export interface Principal {
  kind: 'user' | 'service-account' | 'api-key';
  /** Id of the user, service account or API key. */
  id: string;
  /** The organization that the request is limited to. */
  organizationId: string;
  permissions: readonly Permission[];
  /** The name of an API key, where a route needs it. */
  name?: string | null;
  /** Ids or aliases of the models, and the services, that an API key may use. Null or missing means all. */
  models?: readonly string[] | null;
  /** Whether an API key was sent with its previous secret. */
  usesPreviousSecret?: boolean;
  /** Only for users with Keycard's own access tokens, not with tokens of an identity provider. */
  sessionId?: string;
}

/** Origin of a request, shown in the audit log and the list of sessions. */
export interface Origin {
  /**
   * Canonical IP address of the client; behind a trusted proxy (`TRUST_PROXY`), the one it forwards. `unknownAddress` if
   * that is not an IP address.
   */
  address: string;
  /** The first 512 characters of the `User-Agent` header. */
  userAgent: string | undefined;
  /** Of the request, for audit events and webhooks. */
  requestId?: string;
}

/** A principal that changes something, and the origin of its request. */
export interface Actor extends Principal {
  origin: Origin;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set after the credential has been verified. */
    principal: Principal | undefined;
  }
}

const maxUserAgentLength = 512;

/** The origin of a request. */
export function originOf(request: FastifyRequest): Origin {
  const userAgent = request.headers['user-agent']?.slice(0, maxUserAgentLength);
  return { address: normalizeAddress(request.ip) ?? unknownAddress, userAgent, requestId: request.id };
}

function principalOf({ principal }: FastifyRequest): Principal {
  if (principal === undefined) throw new Error('A public route has no principal.');
  return principal;
}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** Parameter decorator: the principal of the request, for routes that require a credential. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  return principalOf(requestOf(context));
});

/** Parameter decorator: the principal and the origin of the request, for routes that change something. */
export const CurrentActor = createParamDecorator((_data: unknown, context: ExecutionContext): Actor => {
  const request = requestOf(context);
  return { ...principalOf(request), origin: originOf(request) };
});

/** Parameter decorator: the origin of the request, for public routes. */
export const CurrentOrigin = createParamDecorator((_data: unknown, context: ExecutionContext): Origin => {
  return originOf(requestOf(context));
});
