import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiServiceUnavailableResponse,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import { retryAfterHeader } from '../http/api-headers.js';
import type { ErrorCode } from './error-catalog.js';

/** OpenAPI content of errors of management routes. */
export const problemContent = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** OpenAPI content of errors of AI routes. */
export const openAiErrorContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OpenAiError' } } },
};

/** OpenAPI content of errors of `/v1/messages`. */
export const anthropicErrorContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/AnthropicError' } } },
};

/** OpenAPI content of errors of `POST /auth/token`. */
export const oauthErrorContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
};

/** OpenAPI extension of an error response: its codes, if they aren't the usual ones of the status. */
export const errorCodes = (...codes: ErrorCode[]) => ({ 'x-error-codes': codes });

/** Documents the errors of a management route with a JSON body. */
export const ApiBodyErrors = () =>
  ApiBadRequestResponse({ ...problemContent, description: 'Invalid body; `errors` lists the fields.' });

/** Documents the error of a management route with query parameters. */
export const ApiQueryErrors = (description = 'Invalid query parameter; `errors` lists them.') =>
  ApiBadRequestResponse({ ...problemContent, description });

/** Documents a conflict with the current state of a resource. */
export const ApiConflict = (description: string, ...codes: ErrorCode[]) =>
  ApiConflictResponse({ ...problemContent, ...(codes.length > 0 && errorCodes(...codes)), description });

/** Documents that a management route limits failed attempts. */
export const ApiTooManyAttempts = () =>
  ApiTooManyRequestsResponse({
    ...problemContent,
    headers: retryAfterHeader,
    description: 'Too many failed attempts; see `Retry-After`.',
  });

/** Documents that a route depends on the database, or on what `description` names. */
export const ApiUnavailable = (
  content: typeof problemContent | typeof openAiErrorContent | typeof oauthErrorContent,
  description = 'The service is overloaded, or the database is unavailable; see `Retry-After`.',
  ...codes: ErrorCode[]
) =>
  ApiServiceUnavailableResponse({
    ...content,
    ...(codes.length > 0 && errorCodes(...codes)),
    headers: retryAfterHeader,
    description,
  });
