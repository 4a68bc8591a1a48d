import { applyDecorators, SetMetadata } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import {
  ApiBearerAuth,
  ApiExtension,
  ApiForbiddenResponse,
  ApiInternalServerErrorResponse,
  ApiSecurity,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { ApiUnavailable, openAiErrorContent, problemContent } from '../common/errors/api-errors.js';
import { challengeHeader } from '../common/http/api-headers.js';
import type { Permission } from './permissions.js';

/** Who may call a route. Every route declares exactly one. */
export type Access =
  | ({ kind: 'public' } & PublicOptions)
  | { kind: 'signed-in' }
  | { kind: 'permission'; permission: Permission }
  | ({ kind: 'api-key' } & RequireApiKeyOptions);

export const accessMetadata = 'keycard:access';

const internalError = 'Internal error. The log has the cause under the request id.';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
}

interface PublicOptions {
  /** Whether the body is a form (`application/x-www-form-urlencoded`) instead of JSON. */
  takesForm?: boolean;
  /** Whether a JWT may be sent: then it must be valid, and `request.principal` is set. */
  mayBeSignedIn?: boolean;
}

/** For everybody, without a credential. */
export const Public = (options: PublicOptions = {}) =>
  declare(
    { kind: 'public', ...options },
    ApiExtension('x-required-permission', null),
    ApiInternalServerErrorResponse({ ...problemContent, description: internalError }),
    ...(options.mayBeSignedIn === true ? [ApiSecurity({}), ...jwtSecurity('The JWT is malformed or not valid.')] : []),
  );

/** For any signed-in user (JWT). */
export const SignedIn = () =>
  declare({ kind: 'signed-in' }, ApiExtension('x-required-permission', null), ...jwtResponses());

/** For signed-in users (JWT) whose role in the current organization holds the permission. */
export const RequirePermission = (permission: Permission) =>
  declare(
    { kind: 'permission', permission },
    ApiExtension('x-required-permission', permission),
    ApiForbiddenResponse({ ...problemContent, description: `The role lacks the permission \`${permission}\`.` }),
    ...jwtResponses(),
  );

interface RequireApiKeyOptions {
  /** The largest body that is read once the key is verified; default: as everywhere, 100 KB. */
  bodyLimitBytes?: number;
  /** Content types whose body the handler reads by itself: `request.body` is then the stream, not yet read. */
  streamedContentTypes?: readonly ('application/json' | 'multipart/form-data')[];
}

/** For holders of an API key. The key is verified before the body is read. */
export const RequireApiKey = ({ bodyLimitBytes, streamedContentTypes }: RequireApiKeyOptions = {}) =>
  declare(
    { kind: 'api-key', bodyLimitBytes, streamedContentTypes },
    ApiExtension('x-required-permission', null),
    ApiSecurity('apiKeyBearer'),
    ApiSecurity('apiKeyHeader'),
    ApiUnauthorizedResponse({
      ...openAiErrorContent,
      headers: challengeHeader,
      description: 'The API key is missing, malformed or not valid.',
    }),
    ApiInternalServerErrorResponse({ ...openAiErrorContent, description: internalError }),
    ApiUnavailable(
      openAiErrorContent,
      'The key cannot be verified now, or too much work is waiting; see `Retry-After`.',
    ),
  );

function jwtResponses() {
  return [
    ...jwtSecurity('The JWT is missing, malformed, expired or not valid.'),
    ApiInternalServerErrorResponse({ ...problemContent, description: internalError }),
    ApiUnavailable(problemContent),
  ];
}

function jwtSecurity(description: string) {
  return [ApiBearerAuth('jwt'), ApiUnauthorizedResponse({ ...problemContent, headers: challengeHeader, description })];
}

function declare(access: Access, ...documentation: (ClassDecorator | MethodDecorator)[]) {
  const streamedContentTypes = access.kind === 'api-key' ? access.streamedContentTypes : undefined;
  const takesForm = access.kind === 'public' && access.takesForm === true;
  const config = RouteConfig({ access, streamedContentTypes, takesForm });
  return applyDecorators(SetMetadata(accessMetadata, access), config, ...documentation);
}
