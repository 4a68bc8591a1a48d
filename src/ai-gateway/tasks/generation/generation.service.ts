import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../common/errors/app-error.js';
import { BodyMemory } from '../../../common/http/body-memory.js';
import type { UpstreamTarget } from '../../../config/model-definition.js';
import { ReservationsService } from '../../../limits/reservations.service.js';
import { ModelRequest } from '../../body/model-request.js';
import type { ModelOf } from '../../models/model.js';
import { ModelCatalogService } from '../../models/model-catalog.service.js';
import { type GatewayRoute, jsonText, type RouteProvider } from '../../route-group.js';
import { EventResponse } from '../../upstreams/events/event-response.js';
import type { ForwardedRequest } from '../../upstreams/forwarded-request.js';
import { UpstreamFailure } from '../../upstreams/upstream-failure.js';
import type { UpstreamProtocol } from '../../upstreams/upstream-protocol.js';
import { UpstreamsService } from '../../upstreams/upstreams.service.js';
import { chat, completions } from './dialects/chat.js';
import type { Dialect } from './dialects/dialect.js';
import { countTokens, messages } from './dialects/messages.js';
import { responses } from './dialects/responses.js';
import { GenerationEvents } from './generation-events.js';
import { type GenerationFields, readGenerationFields } from './generation-fields.js';
import { GenerationMetricsService } from './generation-metrics.service.js';
import { GenerationUsage } from './generation-usage.js';
import { InputSizeReader } from './input-size.js';

/** Names the model that has served a request, which may be a fallback. */
export const modelHeader = 'x-keycard-model';

/** Where Anthropic's clients look for the id of a request. */
export const anthropicIdHeader = 'request-id';

const maxBodyBytes = 32 * 1024 * 1024;
/** Limits that refill charge at most this much output before it's known. */
const maxProbableOutput = 4096;

/** Headers of Anthropic's clients that upstreams need. */
const passedHeaders = ['anthropic-version', 'anthropic-beta'] as const;

type GenerationModel = ModelOf<'generation'>;

/** A request whose body was read. */
interface ReadRequest {
  readonly dialect: Dialect;
  readonly body: ModelRequest;
  readonly fields: GenerationFields;
  readonly usage: GenerationUsage;
}

/** Forwards requests for generated text to the upstreams of their model. */
@Injectable()
export class GenerationService implements RouteProvider {
  constructor(
    private readonly catalog: ModelCatalogService,
    private readonly upstreams: UpstreamsService,
    private readonly reservations: ReservationsService,
    private readonly memory: BodyMemory,
    private readonly metrics: GenerationMetricsService,
  ) {}

  routes(): readonly GatewayRoute[] {
    const route = {
      method: 'POST',
      maxBodyBytes,
      contentTypes: ['application/json'],
    } as const satisfies Partial<GatewayRoute>;
    const generating = { ...route, uses: 'tokens' } as const;
    return [
      {
        ...generating,
        url: '/v1/chat/completions',
        handler: (request, reply) => this.createChatCompletion(request, reply),
      },
      { ...generating, url: '/v1/completions', handler: (request, reply) => this.createCompletion(request, reply) },
      { ...generating, url: '/v1/responses', handler: (request, reply) => this.createResponse(request, reply) },
      { ...generating, url: '/v1/messages', handler: (request, reply) => this.createMessage(request, reply) },
      {
        ...route,
        url: '/v1/messages/count_tokens',
        handler: (request, reply) => this.countMessageTokens(request, reply),
      },
    ];
  }

  createChatCompletion(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    return this.generate(chat, request, reply);
  }

  createCompletion(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    return this.generate(completions, request, reply);
  }

  createResponse(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    return this.generate(responses, request, reply);
  }

  createMessage(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    void reply.header(anthropicIdHeader, request.id);
    return this.generate(messages, request, reply);
  }

  /**
   * Generates text. The upstream's work ends when the client disconnects, unless its target says otherwise.
   *
   * @returns the upstream's response
   * @throws AppError 404 for an unknown model, 403 for a forbidden one, 400 for an invalid body, 429 if it may exceed a
   *   limit, 503 if there is no memory for it, and errors of the upstream
   */
  private async generate(dialect: Dialect, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    return this.withBody(request, async (body) => {
      const model = this.catalog.getForRoute(dialect.route, body.modelName, request.principal);
      const usage = new GenerationUsage(model.id, dialect);
      request.usage = usage;
      const fields = await readGenerationFields(body, dialect);
      const read = { dialect, body, fields, usage };
      const others = this.catalog.findOthers(model.fallbacks ?? [], dialect.route, request.principal);
      const longer = this.catalog.findOthers(toList(model.contextFallback), dialect.route, request.principal);
      await this.reserveMost(read, [model, ...others, ...longer], request);
      return this.forwardOrFallBack(read, { models: [model, ...others], longer }, request, reply);
    });
  }

  /** Counts the tokens of a message, which uses nothing but the request itself. */
  async countMessageTokens(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    void reply.header(anthropicIdHeader, request.id);
    return this.withBody(request, async (body) => {
      const model = this.catalog.getForRoute(messages.route, body.modelName, request.principal);
      const usage = { model: model.id };
      request.usage = usage;
      const forwarded = { body, ...this.contextOf(request, reply), usage };
      return this.forward(countTokens, [model], forwarded, reply);
    });
  }

  /** Keeps a body until the response begins: streams may take many minutes after that. */
  private async withBody<Result>(
    request: FastifyRequest,
    work: (body: ModelRequest) => Promise<Result>,
  ): Promise<Result> {
    const memory = this.memory.open(request.principal?.organizationId);
    let body: ModelRequest | undefined;
    try {
      body = await ModelRequest.read(request, memory);
      request.requestedModel = body.modelName;
      return await work(body);
    } finally {
      body?.discard();
      memory.release();
    }
  }

  /**
   * Reserves the most that one of the models may use.
   *
   * @throws AppError 429 if that exceeds a limit; ClientGoneError
   */
  private async reserveMost(
    { dialect, body, fields, usage }: ReadRequest,
    models: readonly GenerationModel[],
    { admission }: FastifyRequest,
  ): Promise<void> {
    const input = await body.parseWith(new InputSizeReader(dialect.media));
    const { choices, choicesPerReturned, isStream } = fields;
    const outputTokens = choices * Math.max(...models.map((model) => outputOf(model, fields)));
    usage.bounds = { inputTokens: input.maxTokens, outputTokens, choices, choicesPerReturned, isStream };
    const tokens = input.maxTokens + outputTokens;
    const probable = Math.min(input.probableTokens + Math.min(outputTokens, maxProbableOutput), tokens);
    await this.reservations.reserve(admission, { tokens, pages: 0, estimate: { tokens: probable, pages: 0 } }, usage);
  }

  private async forwardOrFallBack(
    read: ReadRequest,
    { models, longer }: Record<'models' | 'longer', readonly GenerationModel[]>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer | Readable> {
    const { dialect, body, fields, usage } = read;
    const modelOf = (target: UpstreamTarget) => [...models, ...longer].find((model) => hasTarget(model, target));
    const forwarded: ForwardedRequest = {
      body,
      usage,
      ...this.contextOf(request, reply),
      edit: (target) => [
        ...[
          ...body.renameModel(target.model),
          ...fields.edits(maxOutputOf(modelOf(target)), asksForUsage(target)),
        ].sort((one, other) => one.start - other.start),
      ],
      onTarget: (target) => (usage.model = modelOf(target)?.id ?? usage.model),
      onAbandoned: () => usage.abandon(),
      ...(fields.isStream && { openEvents: () => this.openEvents(read, request.id) }),
    };
    try {
      return await this.forward(dialect.protocol, models, forwarded, reply);
    } catch (error) {
      if (longer.length === 0 || !isTooLong(error)) throw error;
      return this.forward(dialect.protocol, longer, forwarded, reply);
    }
  }

  private async forward(
    protocol: UpstreamProtocol,
    models: readonly GenerationModel[],
    request: ForwardedRequest,
    reply: FastifyReply,
  ): Promise<Buffer | Readable> {
    const response = await this.upstreams.forward(models.map(targetsOf), protocol, request);
    const { model } = request.usage;
    // Names aren't limited to the characters of a header.
    void reply.header(modelHeader, encodeURIComponent(model));
    if (!(response instanceof EventResponse)) {
      void reply.type(jsonText);
      return response;
    }
    this.metrics.watch(request.usage, reply);
    void reply
      .type('text/event-stream; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
    return response;
  }

  private openEvents({ dialect, body, fields, usage }: ReadRequest, requestId: string): EventResponse {
    const hidesUsage = dialect.asksForUsage && !fields.wantsUsage;
    return new EventResponse(
      new GenerationEvents(dialect, usage, { modelName: body.modelName, requestId, hidesUsage }),
    );
  }

  private contextOf(
    { id, trace, headers }: FastifyRequest,
    reply: FastifyReply,
  ): Pick<ForwardedRequest, 'requestId' | 'trace' | 'response' | 'headers'> {
    const passed: Record<string, string> = {};
    for (const name of passedHeaders) if (typeof headers[name] === 'string') passed[name] = headers[name];
    return { requestId: id, trace, response: reply.raw, headers: passed };
  }
}

function outputOf(model: GenerationModel, { maxOutputTokens }: GenerationFields): number {
  const most = maxOutputOf(model);
  return maxOutputTokens === undefined ? most : Math.min(maxOutputTokens, most);
}

function maxOutputOf(model: GenerationModel | undefined): number {
  if (model?.maxOutputTokens === undefined) throw new Error('A model that generates text has no maximum.');
  return model.maxOutputTokens;
}

function targetsOf({ servedBy }: GenerationModel): readonly UpstreamTarget[] {
  return servedBy.targets;
}

const hasTarget = (model: GenerationModel, target: UpstreamTarget) => targetsOf(model).includes(target);

const asksForUsage = ({ streamUsage = 'request' }: UpstreamTarget) => streamUsage === 'request';

const toList = (id: string | undefined) => (id === undefined ? [] : [id]);

function isTooLong(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof UpstreamFailure && error.cause.isTooLong;
}
