import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type Type } from '@nestjs/common';
import type { ResponseObject, SchemaObject } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { error, modelNotAllowed, modelNotFound, operation, schemaOf, success } from '../openapi.js';
import type { GatewayRoute, RouteGroup, RouteProvider } from '../route-group.js';
import { AnthropicModelDto, AnthropicModelListDto, toAnthropicList, toAnthropicModel } from './anthropic-model.dto.js';
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

  private listModels({ principal, headers }: FastifyRequest): ModelListDto | AnthropicModelListDto {
    if (isAnthropic(headers)) {
      return toAnthropicList(this.catalog.list(principal).map(({ name, model }) => toAnthropicModel(name, model)));
    }
    return { object: 'list', data: this.catalog.list(principal).map(({ name, model }) => toModelDto(name, model)) };
  }

  private getModel(request: FastifyRequest): ModelDto | AnthropicModelDto {
    const { model } = request.params as { model: string };
    request.requestedModel = model;
    const found = this.catalog.get(model, request.principal);
    return isAnthropic(request.headers) ? toAnthropicModel(model, found) : toModelDto(model, found);
  }
}

/** Anthropic's clients send its version, and expect its format. */
function isAnthropic(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined;
}

function eitherOf(description: string, ...formats: Type[]): SchemaObject {
  return { description, anyOf: formats.map((format) => schemaOf(format).schema) };
}

function successOf(name: string, description: string): ResponseObject {
  return {
    ...success(ModelDto, description),
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  };
}

export const modelRoutes: RouteGroup = {
  routes: ModelRoutes,
  schemas: [ModelDto, ModelListDto, AnthropicModelDto, AnthropicModelListDto],
  openSchemas: {
    AvailableModels: eitherOf(
      'The available models, in the format of the client.',
      ModelListDto,
      AnthropicModelListDto,
    ),
    AvailableModel: eitherOf('A model, in the format of the client.', ModelDto, AnthropicModelDto),
  },
  paths: () => ({
    '/v1/models': {
      get: operation('listModels', {
        summary: 'List models',
        description:
          "Returns the models that the API key may use, in the format of OpenAI and Mistral, or in Anthropic's for requests with `anthropic-version`.",
        responses: {
          200: successOf('AvailableModels', 'The models that the API key may use, including aliases.'),
        },
      }),
    },
    '/v1/models/{model}': {
      get: operation('getModel', {
        summary: 'Get a model',
        description: 'Returns one model by id or alias, in the same formats.',
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
          200: successOf('AvailableModel', 'The model.'),
          400: error('Malformed URL.', ['malformed-request']),
          403: modelNotAllowed,
          404: modelNotFound,
        },
      }),
    },
  }),
};
