import type { ResponseObject } from '@nestjs/swagger';
import { anthropicErrorContent } from '../../../common/errors/api-errors.js';
import { AnthropicErrorDto } from '../../../common/errors/anthropic-error.js';
import type { GenerationRoute } from '../../../common/rules/tasks.js';
import { bodyErrors, error, modelNotFound, operation, rateLimits, upstreamErrors } from '../../openapi.js';
import type { RouteGroup } from '../../route-group.js';
import { generationSchemas, requestSchemas } from './generation-bodies.js';
import { GenerationMetricsService } from './generation-metrics.service.js';
import { anthropicIdHeader, GenerationService, modelHeader, outputLimitHeader } from './generation.service.js';

const largestBody = '32 MB';

/** What is special about a route in the OpenAPI document. */
interface RouteText {
  readonly operationId: string;
  readonly summary: string;
  readonly vendor: 'OpenAI' | 'Anthropic';
  /** Its schema of responses. */
  readonly response: string;
}

const routes: Readonly<Record<GenerationRoute, RouteText>> = {
  'chat/completions': {
    operationId: 'createChatCompletion',
    summary: 'Create a chat completion',
    vendor: 'OpenAI',
    response: 'ChatCompletion',
  },
  completions: {
    operationId: 'createCompletion',
    summary: 'Create a text completion',
    vendor: 'OpenAI',
    response: 'TextCompletion',
  },
  responses: {
    operationId: 'createResponse',
    summary: 'Create a response',
    vendor: 'OpenAI',
    response: 'GeneratedResponse',
  },
  messages: {
    operationId: 'createMessage',
    summary: 'Create a message',
    vendor: 'Anthropic',
    response: 'GeneratedMessage',
  },
};

export const generationTask: RouteGroup = {
  routes: GenerationService,
  providers: [GenerationMetricsService],
  exposedHeaders: [modelHeader, outputLimitHeader, anthropicIdHeader],
  schemas: [AnthropicErrorDto],
  openSchemas: generationSchemas,
  paths: () => ({
    ...Object.fromEntries(
      Object.entries(routes).map(([route, text]) => [
        `/v1/${route}`,
        { post: describe(route as GenerationRoute, text) },
      ]),
    ),
    '/v1/messages/count_tokens': {
      post: operation('countMessageTokens', {
        summary: 'Count the tokens of a message',
        description: "Forwards the request to the model's upstream, and counts only as a request. Anthropic's format.",
        requestBody: jsonBody(requestSchemas.messages),
        responses: {
          200: {
            description: 'The number of input tokens.',
            headers: { ...rateLimits, ...servedBy },
            content: { 'application/json': { schema: reference('MessageTokenCount') } },
          },
          ...errorsOf('Anthropic'),
        },
      }),
    },
  }),
};

function describe(route: GenerationRoute, { operationId, summary, vendor, response }: RouteText) {
  return operation(operationId, {
    summary,
    description: `Forwards the request to an upstream that speaks ${vendor}'s format. Requests and responses are unchanged, except for the model's name. Fields that aren't listed here are accepted too.`,
    requestBody: jsonBody(requestSchemas[route]),
    responses: {
      200: {
        description: 'The generated text; with `stream: true`, as events.',
        headers: { ...rateLimits, ...servedBy },
        content: {
          'application/json': { schema: reference(response) },
          'text/event-stream': {
            schema: {
              type: 'string',
              description: `${vendor}'s events. A stream that breaks off ends with an error event.`,
            },
            example: 'data: [DONE]\n\n',
          },
        },
      },
      ...errorsOf(vendor),
    },
  });
}

/** Upstreams report further statuses, which clients get as they are. */
function errorsOf(vendor: RouteText['vendor']): Record<string, ResponseObject> {
  const described = {
    ...bodyErrors(largestBody),
    404: modelNotFound,
    ...upstreamErrors,
    default: error("An error of the upstream, with the upstream's status, type and message.", [
      'upstream-rejected',
      'upstream-failed',
      'upstream-timeout',
      'upstream-unavailable',
    ]),
  };
  if (vendor === 'OpenAI') return described;
  return Object.fromEntries(
    Object.entries({ ...pipelineErrors(), ...described }).map(([status, response]) => [
      status,
      inAnthropicFormat(response),
    ]),
  );
}

/** The errors that the pipeline adds to every route. */
function pipelineErrors(): Record<string, ResponseObject> {
  const { responses } = operation('', { responses: {} });
  return responses as Record<string, ResponseObject>;
}

function inAnthropicFormat(response: ResponseObject): ResponseObject {
  return { ...response, ...anthropicErrorContent };
}

const servedBy: ResponseObject['headers'] = {
  [modelHeader]: {
    description: 'Id of the model that has served the request, percent-encoded. May be a fallback.',
    schema: { type: 'string', minLength: 1 },
    example: 'gpt-mini',
  },
  [outputLimitHeader]: {
    description: 'The limit that a budget has set to the output of each choice, in tokens. Absent if it left enough.',
    schema: { type: 'integer', minimum: 1 },
    example: 400,
  },
};

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const jsonBody = (name: string) => ({ required: true, content: { 'application/json': { schema: reference(name) } } });
