import type { Type } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject, type OperationObject, type ResponseObject } from '@nestjs/swagger';
import { openAiErrorContent } from '../common/errors/api-errors.js';
import { challengeHeader, retryAfterHeader } from '../common/http/api-headers.js';
import { EmbeddingsRequestDto } from './embeddings/embeddings-request.js';
import { EmbeddingsResponseDto } from './embeddings/embeddings-response.js';
import { ModelDto, ModelListDto } from './models/model.dto.js';
import { OcrRequestDto, OcrUploadDto } from './ocr/ocr-request.dto.js';
import { OcrResponseDto } from './ocr/ocr-response.dto.js';

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
    '/v1/models': {
      get: operation('listModels', {
        summary: "List the models that are served, in OpenAI's shape and with what each is for.",
        responses: { 200: success(ModelListDto, 'The models.') },
      }),
    },
    '/v1/models/{model}': {
      get: operation('getModel', {
        summary: "One model, in OpenAI's shape and with what it is for.",
        parameters: [
          {
            name: 'model',
            in: 'path',
            required: true,
            description: 'Id or alias of the model. A slash in it may be sent as it is, or as `%2F`.',
            schema: { type: 'string', minLength: 1, maxLength: 200, example: 'universal-sentence-encoder-lite' },
          },
        ],
        responses: {
          200: success(ModelDto, 'The model.'),
          400: error('The path is not a well-formed URL.'),
          404: modelNotFound,
        },
      }),
    },
    '/v1/embeddings': {
      post: operation('createEmbeddings', {
        summary: "Turn texts into vectors, in OpenAI's shape.",
        requestBody: { required: true, content: { 'application/json': schemaOf(EmbeddingsRequestDto) } },
        responses: {
          200: success(EmbeddingsResponseDto, 'One vector for each text.'),
          ...bodyErrors('10 MB'),
          404: modelNotFound,
          ...upstreamErrors,
        },
      }),
    },
    '/v1/ocr': {
      post: operation('readDocument', {
        summary: "Read the text of a PDF or an image, in Mistral's shape.",
        requestBody: {
          required: true,
          content: { 'application/json': schemaOf(OcrRequestDto), 'multipart/form-data': schemaOf(OcrUploadDto) },
        },
        responses: {
          200: success(OcrResponseDto, 'The text, page by page.'),
          ...bodyErrors('80 MB, or its document larger than 50 MB'),
          404: modelNotFound,
          422: error('The document cannot be read.'),
          ...upstreamErrors,
        },
      }),
    },
  };
}

function operation(operationId: string, { responses, ...rest }: Omit<OperationObject, 'operationId'>): OperationObject {
  const described = {
    operationId,
    tags: ['AI'],
    parameters: [],
    security: [{ apiKeyBearer: [] }, { apiKeyHeader: [] }],
    'x-required-permission': null,
    ...rest,
    responses: { ...responses, ...pipelineErrors },
  };
  return structuredClone(described);
}

const schemaOf = (dto: Type) => ({ schema: { $ref: getSchemaPath(dto) } });

const success = (dto: Type, description: string): ResponseObject => ({
  description,
  content: { 'application/json': schemaOf(dto) },
});

const error = (description: string, headers?: ResponseObject['headers']): ResponseObject => ({
  ...openAiErrorContent,
  description,
  ...(headers && { headers }),
});

const modelNotFound = error('There is no such model.');

/** Errors of every route. */
const pipelineErrors = {
  401: error('The API key is missing, malformed or not valid.', challengeHeader),
  500: error('Internal error. The log has the cause under the request id.'),
  503: error('The key cannot be verified now, or too much work is waiting; see `Retry-After`.', retryAfterHeader),
};

/** Errors of routes with a body. */
const bodyErrors = (largestBody: string) => ({
  400: error('A parameter is not valid; `param` names it.'),
  408: error('The body stopped arriving.'),
  413: error(`The body is larger than ${largestBody}.`),
  415: error('The content type is not supported, or the body is compressed.'),
});

/** Errors of routes whose models may be served by upstreams. */
const upstreamErrors = {
  429: error('The upstream rate limit is reached; see `Retry-After`, if present.', retryAfterHeader),
  502: error('The upstream failed.'),
  504: error('The upstream did not respond in time.'),
};
