import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalidField } from '../../../common/errors/app-error.js';
import { BodyMemory, type MemoryShare } from '../../../common/http/body-memory.js';
import { signalOf } from '../../client-signal.js';
import { explainEngineError } from '../../../engines/engine-errors.js';
import { ModelCatalogService } from '../../models/model-catalog.service.js';
import type { RequestUsage } from '../../request-usage.js';
import { RequestDemands } from '../../request-demands.js';
import { inEngineSpan } from '../../model-spans.js';
import type { EmbeddingEngine } from '../../../engines/embeddings/embedding-engine.js';
import { LanguageCheck } from '../../../engines/embeddings/languages/language-check.js';
import { clientOf, type EngineClient } from '../../../engines/engine-client.js';
import type { Admission } from '../../../limits/admission.js';
import { ReservationsService } from '../../../limits/reservations.service.js';
import { ModelRequest } from '../../body/model-request.js';
import { type GatewayRoute, jsonText, type RouteProvider } from '../../route-group.js';
import { UpstreamsService } from '../../upstreams/upstreams.service.js';
import { type EmbeddingsRequest, maxTotalTokens } from './embeddings-request.js';
import { embeddingsProtocol } from './embeddings.upstream.js';
import { EmbeddingsRequestReader } from './embeddings-request-reader.js';
import { writeEmbeddingsResponse } from './embeddings-response.js';
import { VectorCache } from './vector-cache.js';

/** Warns of texts that the model can't represent: their vectors have no meaning. */
export const warningHeader = 'x-keycard-warning';

const maxBodyBytes = 10 * 1024 * 1024;

/**
 * Its length in JSON is an upper bound of the tokens that a model reads: each comes from at least one byte, and the marks
 * around a text make up for those that the model adds.
 */
const inputField = 'input';

/** About right for English. */
const bytesPerToken = 4;

const explanation = {
  busy: 'Too many texts are waiting to be embedded.',
  failed: 'The embedding engine has failed. The log has the cause.',
};

/** Engine, usage counters and cancellation of one request. */
interface EmbeddingContext {
  requestId: string;
  engine: EmbeddingEngine;
  languages: readonly string[] | undefined;
  reply: FastifyReply;
  usage: RequestUsage;
  admission: Admission | undefined;
  client: EngineClient;
  signal: AbortSignal;
}

@Injectable()
export class EmbeddingsService implements RouteProvider {
  constructor(
    private readonly catalog: ModelCatalogService,
    private readonly upstreams: UpstreamsService,
    private readonly languageCheck: LanguageCheck,
    private readonly demands: RequestDemands,
    private readonly reservations: ReservationsService,
    private readonly memory: BodyMemory,
    private readonly cache: VectorCache,
  ) {}

  routes(): readonly GatewayRoute[] {
    return [
      {
        method: 'POST',
        url: '/v1/embeddings',
        maxBodyBytes,
        contentTypes: ['application/json'],
        uses: 'tokens',
        handler: (request, reply) => this.createEmbeddings(request, reply.type(jsonText)),
      },
    ];
  }

  /**
   * Embeds texts with the engine or upstream that serves the model. The work ends when the client disconnects.
   *
   * @returns the response body: JSON as text or bytes, or a stream of them
   * @throws AppError 404 for an unknown model, 403 for a forbidden one, 400 for an invalid body, 503 if there is no memory for it, and errors of
   *   the engine or upstream
   */
  async createEmbeddings(request: FastifyRequest, reply: FastifyReply): Promise<string | Buffer | Readable> {
    const memory = this.memory.open(request.principal?.organizationId);
    try {
      return await this.serve(request, reply, memory);
    } finally {
      memory.release();
    }
  }

  private async serve(request: FastifyRequest, reply: FastifyReply, memory: MemoryShare) {
    const body = await ModelRequest.read(request, memory, inputField);
    request.requestedModel = body.modelName;
    const { id, task, languages, servedBy } = this.catalog.getFor('embeddings', body.modelName, request.principal);
    const usage: RequestUsage = { model: id, most: () => ({ inputTokens: body.measuredBytes }) };
    request.usage = usage;
    if ('targets' in servedBy) {
      await this.reserveMost(request.admission, body, usage);
      const forwarded = { body, requestId: request.id, trace: request.trace, usage, response: reply.raw };
      return this.upstreams.forward([servedBy.targets], embeddingsProtocol, forwarded);
    }
    const parsed = await body.parseWith(new EmbeddingsRequestReader());
    const [client, signal] = [clientOf(request), signalOf(reply)];
    const { admission, id: requestId, trace } = request;
    const { engine } = servedBy;
    const context = { requestId, engine, languages, reply, usage, admission, client, signal };
    return inEngineSpan(trace, task, usage, () => this.embed(parsed, context));
  }

  /**
   * Reserves what an upstream may use at most. First the whole body must be here, so that a client that stops sending
   * holds nothing.
   *
   * @throws AppError 429 if that exceeds a limit; errors of the body; ClientGoneError
   */
  private async reserveMost(admission: Admission | undefined, body: ModelRequest, usage: RequestUsage): Promise<void> {
    if (admission === undefined) return;
    const { model } = usage;
    if (admission.limits('tokens', model) || admission.limits('cost', model)) await body.readAll();
    const { measuredBytes: inputTokens } = body;
    const estimate = { tokens: Math.ceil(inputTokens / bytesPerToken), pages: 0 };
    const demand = this.demands.of(admission, model, { inputTokens }, { estimate });
    await this.reservations.reserve(admission, demand, usage);
  }

  /** @throws AppError 400 if a limit of the model is exceeded, 429 if one of the key is, 503 if the engine is busy or broken */
  private async embed(
    request: EmbeddingsRequest,
    { requestId, engine, languages, reply, usage, admission, client, signal }: EmbeddingContext,
  ): Promise<string | Readable> {
    try {
      const limits = await engine.describe(signal);
      const dimensions = request.dimensions ?? limits.dimensions;
      if (dimensions > limits.dimensions) {
        throw invalidField('dimensions', `dimensions must be at most ${limits.dimensions} for this model.`);
      }
      const texts = await engine.tokenize(request.texts, signal, client);
      const tokens = checkTokenCounts(texts.tokenCounts, limits.maxTokensPerText);
      const demand = this.demands.of(admission, usage.model, { inputTokens: tokens });
      await this.reservations.reserve(admission, demand, usage);
      const [vectors, isOtherLanguage] = await Promise.all([
        this.cache.embed({ engine, model: usage.model, texts: request.texts, tokens: texts }, signal, client),
        languages !== undefined && this.languageCheck.findOtherLanguage(request.texts, languages, signal),
      ]);
      // Texts that weren't embedded cost nothing.
      usage.inputTokens = tokens;
      if (texts.hasUnknownText || isOtherLanguage) reply.header(warningHeader, 'language');
      const { model, encodingFormat } = request;
      return writeEmbeddingsResponse({ requestId, model, vectors, encodingFormat, dimensions, tokens });
    } catch (error) {
      throw explainEngineError(error, explanation);
    }
  }
}

/**
 * The total number of tokens.
 *
 * @throws AppError 400
 */
function checkTokenCounts(tokenCounts: readonly number[], limit: number): number {
  const place = (index: number) => (tokenCounts.length === 1 ? 'input' : `input.${index}`);
  const long = tokenCounts.findIndex((count) => count > limit);
  if (long !== -1) throw invalidField('input', `${place(long)} must have at most ${limit} tokens.`);
  const empty = tokenCounts.indexOf(0);
  if (empty !== -1) throw invalidField('input', `${place(empty)} must contain text; it has no tokens.`);
  const total = tokenCounts.reduce((sum, count) => sum + count, 0);
  if (total > maxTotalTokens) {
    throw invalidField('input', `input must have at most ${maxTotalTokens} tokens in total; it has ${total}.`);
  }
  return total;
}
