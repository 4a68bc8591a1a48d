import type { Type } from '@nestjs/common';
import { getSchemaPath, type OperationObject, type ResponseObject, type SchemaObject } from '@nestjs/swagger';
import { errorCodes, openAiErrorContent } from '../common/errors/api-errors.js';
import type { ErrorCode } from '../common/errors/error-catalog.js';
import { challengeHeader, retryAfterHeader } from '../common/http/api-headers.js';
import { decimalPattern } from '../common/money/decimal.js';
import { budgetHeader, costHeader } from '../limits/rate-limit-headers.js';

/*
 * What the OpenAPI of all routes under `/v1` has in common. Nest doesn't register them, so `@nestjs/swagger` takes only
 * the schemas from their DTOs.
 */

/** An operation of a route under `/v1`: what is special about it, and what the pipeline adds. */
export function operation(
  operationId: string,
  { responses, ...rest }: Omit<OperationObject, 'operationId'>,
): OperationObject {
  const described = {
    operationId,
    tags: ['AI'],
    parameters: [],
    security: [{ ApiKey: [] }, { ApiKeyAsBearer: [] }],
    'x-required-permission': null,
    ...rest,
    responses: { ...pipelineErrors, ...responses },
  };
  return structuredClone(described);
}

export const schemaOf = (dto: Type) => ({ schema: { $ref: getSchemaPath(dto) } });

export const success = (dto: Type, description: string, headers?: ResponseObject['headers']): ResponseObject => ({
  description,
  headers: { ...rateLimits, ...headers },
  content: { 'application/json': schemaOf(dto) },
});

const rateLimit = (description: string, schema: SchemaObject, example: string | number) => ({
  description: `${description} Absent without limits.`,
  schema,
  example,
});
const ofTightest = (metric: string) => ({
  [`x-ratelimit-limit-${metric}`]: rateLimit(`The tightest limit on ${metric}.`, { type: 'integer', minimum: 1 }, 60),
  [`x-ratelimit-remaining-${metric}`]: rateLimit(
    'Remaining amount of that limit.',
    { type: 'integer', minimum: 0 },
    59,
  ),
  [`x-ratelimit-reset-${metric}`]: rateLimit(
    'Time until that limit is fully available again.',
    { type: 'string', pattern: '^(\\d+h)?(\\d+m)?\\d+(\\.\\d+)?(ms|s)$' },
    '1s',
  ),
});

/** Headers for requests whose key or organization has limits. */
export const rateLimits: ResponseObject['headers'] = {
  ...ofTightest('requests'),
  ...ofTightest('tokens'),
  'RateLimit-Policy': rateLimit(
    'All limits on requests, tokens and pages: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string' },
    '"key-requests-minute";q=60;w=60',
  ),
  RateLimit: rateLimit(
    'Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`).',
    { type: 'string' },
    '"key-requests-minute";r=59;t=1',
  ),
  [costHeader]: {
    description:
      'What the request has cost, or 0 if the response is a stream. Absent without a limit on cost. In the currency of the models file.',
    schema: { type: 'string', pattern: decimalPattern },
    example: '0.0000125',
  },
  [budgetHeader]: {
    description:
      'What is left of the tightest limit on cost; if the response is a stream, before the request. Absent without one.',
    schema: { type: 'string', pattern: decimalPattern },
    example: '24.9999875',
  },
};

/** @param codes if they aren't the usual ones of the status */
export const error = (
  description: string,
  codes?: ErrorCode[],
  headers?: ResponseObject['headers'],
): ResponseObject => ({
  ...openAiErrorContent,
  ...(codes && errorCodes(...codes)),
  description,
  ...(headers && { headers }),
});

export const modelNotFound = error('Model not found.', ['model-not-found']);

export const forbidden = (description: string, ...codes: ErrorCode[]) =>
  error(description, ['api-key-disabled', 'address-not-allowed', ...codes]);

export const modelNotAllowed = forbidden(
  'The API key is disabled, or may not be used from this address or for this model.',
  'model-not-allowed',
);

const modelForbidden = forbidden(
  'The API key is disabled, or may not be used from this address or for this model, or its cost is limited and the model has no price.',
  'model-not-allowed',
  'model-without-price',
);

/** Errors of every route. */
const pipelineErrors = {
  401: error('The API key is missing or invalid.', undefined, challengeHeader),
  403: forbidden('The API key is disabled, or may not be used from this address.'),
  429: error(
    'A limit of the key or its organization is exceeded, or the rate limit of an upstream; see `Retry-After`, if present.',
    [
      'limit-exceeded',
      'budget-exceeded',
      'limit-reserved',
      'larger-than-limit',
      'larger-than-budget',
      'upstream-rate-limited',
      'too-many-requests',
    ],
    {
      ...rateLimits,
      ...retryAfterHeader,
      'retry-after-ms': {
        description: 'Milliseconds to wait before retrying.',
        schema: { type: 'integer', minimum: 1 },
        example: 980,
      },
      'x-should-retry': {
        description: '`false` if retrying soon is pointless: a budget is exhausted.',
        schema: { type: 'string', enum: ['false'] },
        example: 'false',
      },
    },
  ),
  503: error(
    'The API key cannot be verified, or too much work is waiting. Retry after `Retry-After`.',
    ['database-unavailable', 'organization-moving', 'overloaded', 'engine-unavailable', 'upstream-unavailable'],
    retryAfterHeader,
  ),
};

/** Errors of routes with a body. */
export const bodyErrors = (largestBody: string) => ({
  400: error('Invalid parameter; `param` names it.', ['validation-failed', 'malformed-request', 'upstream-rejected']),
  403: modelForbidden,
  413: error(`The body is larger than ${largestBody}.`),
  415: error('Unsupported content type, or compressed body.'),
});

/** Errors of routes whose models may be served by upstreams. */
export const upstreamErrors = {
  502: error('The upstream failed.', ['upstream-failed']),
  504: error('The upstream did not respond in time.', ['upstream-timeout']),
};
