import type { ResponseObject } from '@nestjs/swagger';
import { partOf } from '../../../common/instance-share.js';
import { ServiceConfig } from '../../../config/service-config.js';
import type { Model } from '../../models/model.js';
import { bodyErrors, modelNotFound, operation, schemaOf, success, upstreamErrors } from '../../openapi.js';
import type { RouteGroup } from '../../route-group.js';
import { EmbeddingsRequestDto, maxInputs, maxTotalTokens } from './embeddings-request.js';
import { EmbeddingsResponseDto } from './embeddings-response.js';
import { EmbeddingsService, warningHeader } from './embeddings.service.js';
import { VectorCacheMetrics } from './vector-cache-metrics.js';
import { VectorCache } from './vector-cache.js';

const megabyte = 1024 * 1024;

export const embeddingsTask: RouteGroup = {
  routes: EmbeddingsService,
  providers: [
    VectorCacheMetrics,
    {
      provide: VectorCache,
      inject: [ServiceConfig],
      useFactory: ({ embeddingsCacheMb, instanceShare }: ServiceConfig) =>
        new VectorCache(partOf(embeddingsCacheMb * megabyte, instanceShare, 0)),
    },
  ],
  exposedHeaders: [warningHeader],
  engineLimits,
  schemas: [EmbeddingsRequestDto, EmbeddingsResponseDto],
  paths: () => ({
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
  }),
};

/** Headers of responses with vectors. */
const languageWarning: ResponseObject['headers'] = {
  [warningHeader]: {
    description:
      '`language` if a text is in none of the `languages` of a model inside Keycard, or has no known words, such as one of emoji only. Such vectors have no meaning. Otherwise absent.',
    schema: { type: 'string', enum: ['language'] },
  },
};

function engineLimits({ task, servedBy }: Model): ReturnType<NonNullable<RouteGroup['engineLimits']>> {
  if (task !== 'embeddings' || 'targets' in servedBy) return undefined;
  const { knownLimits } = servedBy.engine;
  return {
    maxInputs,
    maxTokens: maxTotalTokens,
    ...(knownLimits && { maxTokensPerInput: knownLimits.maxTokensPerText, dimensions: knownLimits.dimensions }),
  };
}
