import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../common/errors/app-error.js';
import { BodyMemory } from '../../../common/http/body-memory.js';
import type { UpstreamTarget } from '../../../config/model-definition.js';
import { ReservationsService } from '../../../limits/reservations.service.js';
import { RequestDemands } from '../../request-demands.js';
import { ModelRequest } from '../../body/model-request.js';
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
import { GenerationAttempts, type GenerationModel } from './generation-attempts.js';
import { type GenerationFields, readGenerationFields } from './generation-fields.js';
import { GenerationMetricsService } from './generation-metrics.service.js';
import { GenerationUsage } from './generation-usage.js';
import { InputSizeReader, mediaTokensOf } from './input-size.js';

/** Names the model that has served a request, which may be a fallback. */
export const modelHeader = 'x-keycard-model';

/** The limit that a budget has set to the output of each choice, in tokens. */
export const outputLimitHeader = 'x-keycard-output-limit';

/** Where Anthropic's clients look for the id of a request. */
export const anthropicIdHeader = 'request-id';

const maxBodyBytes = 32 * 1024 * 1024;
/** Headers of Anthropic's clients that upstreams need. */
const passedHeaders = ['anthropic-version', 'anthropic-beta'] as const;

/** A request whose body was read. */
interface ReadRequest {
  readonly dialect: Dialect;
  readonly body: ModelRequest;
  readonly fields: GenerationFields;
  readonly usage: GenerationUsage;
  readonly attempts: GenerationAttempts;
}

/** Forwards requests for generated text to the upstreams of their model. */
@Injectable()
export class GenerationService implements RouteProvider {
  constructor(
    private readonly catalog: ModelCatalogService,
    private readonly upstreams: UpstreamsService,
    private readonly demands: RequestDemands,
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
      const others = this.catalog.findOthers(model.fallbacks ?? [], dialect.route, request.principal);
      const longer = this.catalog.findOthers(toList(model.contextFallback), dialect.route, request.principal);
      const mediaTokens = mediaTokensOf([model, ...others, ...longer]);
      const input = await body.parseWith(new InputSizeReader(dialect.media, mediaTokens));
      const measured = { dialect, fields, usage, input, admission: request.admission };
      const attempts = new GenerationAttempts(measured, this.demands, this.reservations);
      await attempts.begin(model);
      const read = { dialect, body, fields, usage, attempts };
      return this.forwardOrFallBack(read, { models: [model, ...others], longer }, request, reply);
    });
  }

  /** Counts the tokens of a message, which uses nothing but the request itself. */
  async countMessageTokens(request: FastifyRequest, reply: FastifyReply): Promise<Buffer | Readable> {
    void reply.header(anthropicIdHeader, request.id);
    return this.withBody(request, async (body) => {
      const model = this.catalog.getForRoute(messages.route, body.modelName, request.principal);
      const usage = { model: model.id, isFree: true } as const;
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

  private async forwardOrFallBack(
    read: ReadRequest,
    { models, longer }: Record<'models' | 'longer', readonly GenerationModel[]>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Buffer | Readable> {
    const { body, fields, usage, attempts } = read;
    const forwarded: ForwardedRequest = {
      body,
      usage,
      ...this.contextOf(request, reply),
      edit: (target) => [
        ...[...body.renameModel(target.model), ...fields.edits(attempts.settingsFor(target))].sort(
          (one, other) => one.start - other.start,
        ),
      ],
      prepare: async (target) => {
        const model = [...models, ...longer].find((one) => targetsOf(one).includes(target));
        return model !== undefined && attempts.prepare(model);
      },
      ...(fields.isStream && { openEvents: () => this.openEvents(read, request.id) }),
    };
    try {
      return await this.forwardLimited(read, models, forwarded, reply);
    } catch (error) {
      if (longer.length === 0 || !isTooLong(error)) throw error;
      return this.forwardLimited(read, longer, forwarded, reply);
    }
  }

  private async forwardLimited(
    { dialect, attempts }: ReadRequest,
    models: readonly GenerationModel[],
    request: ForwardedRequest,
    reply: FastifyReply,
  ): Promise<Buffer | Readable> {
    const response = await this.forward(dialect.protocol, models, request, reply);
    const { outputLimit } = attempts;
    if (outputLimit !== undefined) void reply.header(outputLimitHeader, outputLimit);
    return response;
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

function targetsOf({ servedBy }: GenerationModel): readonly UpstreamTarget[] {
  return servedBy.targets;
}

const toList = (id: string | undefined) => (id === undefined ? [] : [id]);

function isTooLong(error: unknown): boolean {
  return error instanceof AppError && error.cause instanceof UpstreamFailure && error.cause.isTooLong;
}
