import { applyDecorators } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiPayloadTooLargeResponse,
  ApiRequestTimeoutResponse,
  ApiServiceUnavailableResponse,
  ApiTooManyRequestsResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import { retryAfterHeader } from '../http/api-headers.js';

/** OpenAPI content of errors of management routes. */
export const problemContent = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** OpenAPI content of errors of AI routes. */
export const openAiErrorContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OpenAiError' } } },
};

/** Documents the errors of a management route with a JSON body. */
export const ApiBodyErrors = () =>
  applyDecorators(
    ApiBadRequestResponse({ ...problemContent, description: 'Invalid body; `errors` lists the fields.' }),
    ApiRequestTimeoutResponse({ ...problemContent, description: 'The body stopped arriving.' }),
    ApiPayloadTooLargeResponse({ ...problemContent, description: 'The body is larger than 100 KB.' }),
    ApiUnsupportedMediaTypeResponse({ ...problemContent, description: 'The body is not JSON, or is compressed.' }),
  );

/** Documents the error of a management route with query parameters. */
export const ApiQueryErrors = (description = 'Invalid query parameter; `errors` lists them.') =>
  ApiBadRequestResponse({ ...problemContent, description });

/** Documents a conflict with the current state of a resource. */
export const ApiConflict = (description: string) => ApiConflictResponse({ ...problemContent, description });

/** Documents that a management route limits failed attempts. */
export const ApiTooManyAttempts = () =>
  ApiTooManyRequestsResponse({
    ...problemContent,
    headers: retryAfterHeader,
    description: 'Too many failed attempts; see `Retry-After`.',
  });

/** Documents that a route depends on the database, or on what `description` names. */
export const ApiUnavailable = (
  content: typeof problemContent | typeof openAiErrorContent,
  description = 'The database is unavailable; see `Retry-After`.',
) => ApiServiceUnavailableResponse({ ...content, headers: retryAfterHeader, description });
