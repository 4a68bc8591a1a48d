import type { Type } from '@nestjs/common';
import {
  getSchemaPath,
  type OpenAPIObject,
  type OperationObject,
  type ResponseObject,
  type SchemaObject,
} from '@nestjs/swagger';
import { errorCodes, openAiErrorContent } from '../common/errors/api-errors.js';
import type { ErrorCode } from '../common/errors/error-catalogue.js';
import { challengeHeader, retryAfterHeader } from '../common/http/api-headers.js';
import { EmbeddingsRequestDto } from './tasks/embeddings/embeddings-request.js';
import { EmbeddingsResponseDto } from './tasks/embeddings/embeddings-response.js';
import { ModelDto, ModelListDto } from './models/model.dto.js';
import { OcrRequestDto, OcrUploadDto } from './tasks/ocr/ocr-request.dto.js';
import { OcrResponseDto } from './tasks/ocr/ocr-response.dto.js';

/*
 * OpenAPI of the routes under `/v1`. Nest doesn't register them, so `@nestjs/swagger` takes only the schemas from their
 * DTOs; a test compares the operations with the registered routes.
 */

/** The DTOs whose schemas the operations refer to. */
export const gatewaySchemas: Type[] = [
  EmbeddingsRequestDto,
  EmbeddingsResponseDto,
  ModelDto,
  ModelListDto,
  OcrRequestDto,
  OcrUploadDto,
  OcrResponseDto,
];

/** A new object each time: the document adds what applies to all routes. */
export function describeGateway(): OpenAPIObject['paths'] {
  return {
    '/v1/authorize': { get: authorize('authorize'), post: authorize('authorizePost') },
    '/v1/models': {
      get: operation('listModels', {
        summary: 'List models',
        description: 'Returns the models that the API key may use, in the format of OpenAI and Mistral.',
        responses: { 200: success(ModelListDto, 'The models that the API key may use, including aliases.') },
      }),
    },
    '/v1/models/{model}': {
      get: operation('getModel', {
        summary: 'Get a model',
        description: 'Returns one model by id or alias.',
        parameters: [
          {
            name: 'model',
            in: 'path',
            required: true,
            description: 'Id or alias of the model. Slashes may be sent as they are or as `%2F`.',
            schema: { type: 'string', minLength: 1, maxLength: 200, example: 'universal-sentence-encoder-lite' },
          },
        ],
        responses: {
          200: success(ModelDto, 'The model.'),
          400: error('Malformed URL.', ['malformed-request']),
          403: modelNotAllowed,
          404: modelNotFound,
        },
      }),
    },
    '/v1/embeddings': {
      post: operation('createEmbeddings', {
        summary: 'Create embeddings',
        description:
          "Returns a vector for each text. Requests and responses have OpenAI's format. Upstream models also accept fields that aren't listed here.",
        requestBody: { required: true, content: { 'application/json': schemaOf(EmbeddingsRequestDto) } },
        responses: {
          200: success(EmbeddingsResponseDto, 'A vector for each text.', languageWarning),
          ...bodyErrors('10 MB'),
          404: modelNotFound,
          ...upstreamErrors,
        },
      }),
    },
    '/v1/ocr': {
      post: operation('readDocument', {
        summary: 'Read the text of a PDF or an image',
        description:
          "Returns the text of each page as Markdown. Requests and responses have Mistral's format. Upstream models accept JSON only, including fields that aren't listed here.",
        requestBody: {
          required: true,
          content: { 'application/json': schemaOf(OcrRequestDto), 'multipart/form-data': schemaOf(OcrUploadDto) },
        },
        responses: ocrResponses(),
      }),
    },
    '/v1/ocr/upload': {
      post: operation('uploadDocument', {
        summary: 'Read the text of an uploaded PDF or image',
        description:
          "The same as a form sent to `POST /v1/ocr`, for generated clients that support only one content type per operation. Upstream models don't accept forms.",
        requestBody: { required: true, content: { 'multipart/form-data': schemaOf(OcrUploadDto) } },
        responses: ocrResponses(),
      }),
    },
  };
}

function ocrResponses(): OperationObject['responses'] {
  return {
    200: success(OcrResponseDto, 'The text of each page.'),
    ...bodyErrors('80 MB, or the document larger than 50 MB'),
    404: modelNotFound,
    422: error('The document or all of its pages could not be read.', [
      'unreadable-document',
      'pages-failed',
      'no-text-found',
    ]),
    ...upstreamErrors,
  };
}

function operation(operationId: string, { responses, ...rest }: Omit<OperationObject, 'operationId'>): OperationObject {
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

function authorize(operationId: string): OperationObject {
  return operation(operationId, {
    summary: 'Authorize a request to a service',
    description:
      'For reverse proxies, which forward the API key of a request. They let it through on 204. A body is ignored.',
    tags: ['Services'],
    parameters: [
      {
        name: 'service',
        in: 'query',
        description: 'Name of the service, as declared in the models file. `authorize` if omitted.',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
      },
    ],
    responses: {
      204: { description: 'The API key may be used.', headers: { ...rateLimits, ...keyHeaders } },
      400: error('Invalid or repeated parameter; `param` names it.'),
      403: forbidden(
        'The API key is disabled, or may not be used from this address or for this service.',
        'service-not-allowed',
      ),
      404: error('Service not found.', ['service-not-found']),
    },
  });
}

const schemaOf = (dto: Type) => ({ schema: { $ref: getSchemaPath(dto) } });

const success = (dto: Type, description: string, headers?: ResponseObject['headers']): ResponseObject => ({
  description,
  headers: { ...rateLimits, ...headers },
  content: { 'application/json': schemaOf(dto) },
});

/** The API key that a request was authorized with. */
const keyHeaders: ResponseObject['headers'] = {
  'x-keycard-key-id': {
    description: 'Id of the API key.',
    schema: { type: 'string', format: 'uuid' },
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
  },
  'x-keycard-key-name': {
    description: 'Name of the API key, percent-encoded as UTF-8.',
    schema: { type: 'string', minLength: 2 },
    example: 'Search%20indexer',
  },
  'x-keycard-organization-id': {
    description: 'Id of the organization that the API key belongs to.',
    schema: { type: 'string', format: 'uuid' },
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
  },
  'Cache-Control': { description: 'Always `no-store`.', schema: { type: 'string', enum: ['no-store'] } },
};

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
const rateLimits: ResponseObject['headers'] = {
  ...ofTightest('requests'),
  ...ofTightest('tokens'),
  'RateLimit-Policy': rateLimit(
    'All limits: quota `q` per window `w` in seconds (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string' },
    '"key-requests-minute";q=60;w=60',
  ),
  RateLimit: rateLimit(
    'Remaining amount of each limit (`r`), and seconds until it is fully available again (`t`).',
    { type: 'string' },
    '"key-requests-minute";r=59;t=1',
  ),
};

/** Headers of responses with vectors. */
const languageWarning: ResponseObject['headers'] = {
  'x-keycard-warning': {
    description:
      '`language` if a text is in none of the `languages` of a model inside Keycard, or has no known words, such as one of emoji only. Such vectors have no meaning. Otherwise absent.',
    schema: { type: 'string', enum: ['language'] },
  },
};

/** @param codes if they aren't the usual ones of the status */
const error = (description: string, codes?: ErrorCode[], headers?: ResponseObject['headers']): ResponseObject => ({
  ...openAiErrorContent,
  ...(codes && errorCodes(...codes)),
  description,
  ...(headers && { headers }),
});

const modelNotFound = error('Model not found.', ['model-not-found']);

const forbidden = (description: string, ...codes: ErrorCode[]) =>
  error(description, ['api-key-disabled', 'address-not-allowed', ...codes]);

const modelNotAllowed = forbidden(
  'The API key is disabled, or may not be used from this address or for this model.',
  'model-not-allowed',
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
    ['database-unavailable', 'overloaded', 'engine-unavailable', 'upstream-unavailable'],
    retryAfterHeader,
  ),
};

/** Errors of routes with a body. */
const bodyErrors = (largestBody: string) => ({
  400: error('Invalid parameter; `param` names it.', ['validation-failed', 'malformed-request', 'upstream-rejected']),
  403: modelNotAllowed,
  413: error(`The body is larger than ${largestBody}.`),
  415: error('Unsupported content type, or compressed body.'),
});

/** Errors of routes whose models may be served by upstreams. */
const upstreamErrors = {
  502: error('The upstream failed.', ['upstream-failed']),
  504: error('The upstream did not respond in time.', ['upstream-timeout']),
};
