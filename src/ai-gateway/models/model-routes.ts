import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { error, modelNotAllowed, modelNotFound, operation, success } from '../openapi.js';
import type { GatewayRoute, RouteGroup, RouteProvider } from '../route-group.js';
import { ModelCatalogService } from './model-catalog.service.js';
import { ModelDto, ModelListDto, toModelDto } from './model.dto.js';

/** `GET /v1/models`: the models that an API key may use. */
@Injectable()
export class ModelRoutes implements RouteProvider {
  constructor(private readonly catalog: ModelCatalogService) {}

  routes(): readonly GatewayRoute[] {
    return [
      { method: 'GET', url: '/v1/models', handler: (request) => this.listModels(request) },
      { method: 'GET', url: '/v1/models/:model', handler: (request) => this.getModel(request) },
    ];
  }

  private listModels({ principal }: FastifyRequest): ModelListDto {
    return { object: 'list', data: this.catalog.list(principal).map(({ name, model }) => toModelDto(name, model)) };
  }

  private getModel(request: FastifyRequest): ModelDto {
    const { model } = request.params as { model: string };
    request.requestedModel = model;
    return toModelDto(model, this.catalog.get(model, request.principal));
  }
}

export const modelRoutes: RouteGroup = {
  routes: ModelRoutes,
  schemas: [ModelDto, ModelListDto],
  paths: () => ({
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
  }),
};
