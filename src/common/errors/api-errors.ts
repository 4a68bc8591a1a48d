import { applyDecorators } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiPayloadTooLargeResponse,
  ApiRequestTimeoutResponse,
  ApiServiceUnavailableResponse,
  ApiTooManyRequestsResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import { retryAfterHeader } from '../http/api-headers.js';

/** The OpenAPI content of an error of a management route. */
export const problemContent = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/** The OpenAPI content of an error of an AI route. */
export const openAiErrorContent = {
  content: { 'application/json': { schema: { $ref: '#/components/schemas/OpenAiError' } } },
};

const stalledBody = 'The body stopped arriving.';

/** Documents the errors of a management route with a JSON body. */
export const ApiBodyErrors = () =>
  applyDecorators(
    ApiBadRequestResponse({ ...problemContent, description: 'The body is not valid; `errors` names the fields.' }),
    ApiRequestTimeoutResponse({ ...problemContent, description: stalledBody }),
    ApiPayloadTooLargeResponse({ ...problemContent, description: 'The body is larger than 100 KB.' }),
    ApiUnsupportedMediaTypeResponse({ ...problemContent, description: 'The body is not JSON, or is compressed.' }),
  );

/** Documents what a route with a parameter in its path can answer to a bad path. */
export const ApiPathErrors = (content: typeof problemContent | typeof openAiErrorContent) =>
  applyDecorators(ApiBadRequestResponse({ ...content, description: 'The path is not a well-formed URL.' }));

/** Documents that a management route limits attempts. */
export const ApiTooManyAttempts = () =>
  ApiTooManyRequestsResponse({
    ...problemContent,
    headers: retryAfterHeader,
    description: 'Too many wrong attempts; see `Retry-After`.',
  });

/** Documents that a route needs the database, or something else that may be away. */
export const ApiUnavailable = (
  content: typeof problemContent | typeof openAiErrorContent,
  description = 'The database is unavailable; see `Retry-After`.',
) => ApiServiceUnavailableResponse({ ...content, headers: retryAfterHeader, description });
