import { applyDecorators, type CanActivate, SetMetadata, type Type, UseGuards } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBearerAuth,
  ApiExtension,
  ApiForbiddenResponse,
  ApiSecurity,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { ApiUnavailable, errorCodes, openAiErrorContent, problemContent } from '../common/errors/api-errors.js';
import { challengeHeader, retryAfterHeader } from '../common/http/api-headers.js';
import type { Permission } from './permissions.js';

/** A route's declared access. Every route has exactly one. */
export type Access =
  | ({ kind: 'public' } & PublicOptions)
  | ({ kind: 'signed-in' } & SignedInOptions)
  | { kind: 'permission'; permission: Permission }
  | ({ kind: 'api-key' } & ApiKeyOptions);

export const accessMetadata = 'keycard:access';
export const limitCreationMetadata = 'keycard:limit-creation';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

interface PublicOptions {
  /** Whether the body is a form (`application/x-www-form-urlencoded`) instead of JSON. */
  takesForm?: boolean;
  /** Whether the handler checks a signature of the body, which needs its text as `request.bodyText`. */
  isSigned?: boolean;
  /** Maximum size of the body, in bytes; by default that of all management routes. */
  maxBodyBytes?: number;
  /** Whether a JWT is optional. If sent, it must be valid and sets `request.principal`. */
  mayBeSignedIn?: boolean;
  /** Credentials of a session that the handler reads itself, for OpenAPI. */
  readsSession?: ('AccessToken' | 'RefreshCookie')[];
}

interface SignedInOptions {
  /** Whether service accounts may call it, too. Not if it acts on a user or a session. */
  serviceAccounts?: boolean;
}

interface ApiKeyOptions {
  /** Whether requests count against the limits of their key and its organization. */
  isCharged: boolean;
}

/** Allows everyone, without a credential. */
export const Public = (options: PublicOptions = {}) =>
  declare(
    { kind: 'public', ...options },
    ApiExtension('x-required-permission', null),
    ...(options.mayBeSignedIn === true ? [ApiSecurity({}), ...jwtSecurity('The JWT is malformed or not valid.')] : []),
    ...(options.readsSession ?? []).map((scheme) => ApiSecurity(scheme)),
  );

/** Allows any signed-in user (JWT), and rejects service accounts unless the options allow them. */
export const SignedIn = (options: SignedInOptions = {}) =>
  declare(
    { kind: 'signed-in', ...options },
    ApiExtension('x-required-permission', null),
    ...jwtResponses(),
    ...(options.serviceAccounts === true ? [ApiSecurity('ServiceAccount')] : []),
  );

/**
 * Allows signed-in users and service accounts (JWT) with the permission in the current organization.
 *
 * @param others what else the route checks, for the description of its 403, such as "one of the new role's permissions"
 */
export const RequirePermission = (permission: Permission, others?: string) =>
  declare(
    { kind: 'permission', permission },
    ApiExtension('x-required-permission', permission),
    ApiForbiddenResponse({
      ...problemContent,
      description: `Your role lacks ${[`\`${permission}\``, others].filter((text) => text !== undefined).join(' or ')}.`,
    }),
    ...jwtResponses(),
    ApiSecurity('ServiceAccount'),
  );

/**
 * Allows API keys. Requests count against no limit: only the AI gateway charges.
 *
 * @param guard verifies the key
 */
export const AllowApiKeys = (guard: Type<CanActivate>) =>
  declare(
    { kind: 'api-key', isCharged: false },
    UseGuards(guard),
    ApiExtension('x-required-permission', null),
    ApiSecurity('ApiKey'),
    ApiSecurity('ApiKeyAsBearer'),
    ApiUnauthorizedResponse({
      ...openAiErrorContent,
      headers: challengeHeader,
      description: 'The API key is missing or invalid.',
    }),
    ApiForbiddenResponse({
      ...openAiErrorContent,
      ...errorCodes('api-key-disabled', 'address-not-allowed'),
      description: 'The API key is disabled, or may not be used from this address.',
    }),
    ApiUnavailable(openAiErrorContent),
  );

/** Limits requests to a route that creates something, for each user, service account and organization. */
export const LimitCreation = () =>
  applyDecorators(
    SetMetadata(limitCreationMetadata, true),
    ApiTooManyRequestsResponse({
      ...problemContent,
      headers: retryAfterHeader,
      description: 'You or your organization sent too many of these requests. The error names the limit.',
    }),
  );

function jwtResponses() {
  return [...jwtSecurity('The JWT is missing, malformed, expired or not valid.'), ApiUnavailable(problemContent)];
}

function jwtSecurity(description: string) {
  return [
    ApiBearerAuth('AccessToken'),
    ApiUnauthorizedResponse({ ...problemContent, headers: challengeHeader, description }),
  ];
}

function declare(access: Access, ...documentation: (ClassDecorator | MethodDecorator)[]) {
  const { takesForm = false, isSigned = false, maxBodyBytes } = access.kind === 'public' ? access : {};
  const config = RouteConfig({ access, takesForm, keepsBodyText: isSigned, maxBodyBytes });
  return applyDecorators(SetMetadata(accessMetadata, access), config, ...documentation);
}
