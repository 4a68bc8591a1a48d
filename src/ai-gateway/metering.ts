import { addAbortSignal, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { UsageRecorderService } from '../usage/usage-recorder.service.js';
import type { UsageFact } from '../usage/write-usage.js';
import { signalOf } from './client-signal.js';

/** Usage of a request so far. */
export interface RequestUsage {
  /** Id of the model in the catalogue. */
  readonly model: string;
  inputTokens: number;
  /** Document pages read. */
  pages: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set as soon as the model is known. From then on the request is metered, however it ends. */
    usage: RequestUsage | undefined;
  }
}

/**
 * Records the usage of each request of a scope once, before its response ends: a client that has received the whole
 * response has been metered. If recording fails, the client gets a 503, or a streamed response is cut off. A request
 * whose client disconnects earlier counts as failed.
 */
export function meterResponses(scope: FastifyInstance, recorder: UsageRecorderService, logger: Logger): void {
  const meter = new ResponseMeter(recorder, logger);
  scope.decorateRequest('usage', undefined);
  scope.addHook('preHandler', (request, reply, done) => {
    reply.raw.once('close', () => meter.recordFailure(request, reply));
    done();
  });
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (meter.isDoneWith(request)) done(null, payload);
    else if (isStream(payload)) done(null, meter.recordAtEnd(payload, request, reply));
    else meter.record(request, reply).then(() => done(null, payload), done);
  });
}

class ResponseMeter {
  private readonly recorded = new WeakSet<FastifyRequest>();

  constructor(
    private readonly recorder: UsageRecorderService,
    private readonly logger: Logger,
  ) {}

  /** Whether nothing is left to record. The error response to a failed recording isn't recorded. */
  isDoneWith(request: FastifyRequest): boolean {
    return request.usage === undefined || this.recorded.has(request);
  }

  /** @throws AppError 503 if it can't be recorded */
  async record(request: FastifyRequest, reply: FastifyReply, isFailure = false): Promise<void> {
    if (this.isDoneWith(request)) return;
    this.recorded.add(request);
    const fact = factOf(request, reply, isFailure);
    if (fact !== undefined) await this.recorder.record(fact);
  }

  /** Returns the stream, which ends only after the request was recorded. */
  recordAtEnd(payload: Readable, request: FastifyRequest, reply: FastifyReply): Readable {
    const metered = holdBackLastChunk(async () => {
      try {
        await this.record(request, reply);
      } catch (error) {
        this.logFailure(request, error);
        throw error;
      }
    });
    // Fastify, Node and Keycard all listen for the end of a streamed response.
    reply.raw.setMaxListeners(20);
    // Otherwise a disconnect would look like an error of the stream.
    addAbortSignal(signalOf(reply), metered);
    // A failed stream is recorded with its consequence: an error response or a closed connection.
    return pipeline(payload, metered, () => undefined);
  }

  /** Runs in the background. The recorder finishes even while the service stops. */
  recordFailure(request: FastifyRequest, reply: FastifyReply): void {
    if (this.isDoneWith(request)) return;
    this.record(request, reply, true).catch((error: unknown) => this.logFailure(request, error));
  }

  private logFailure({ id }: FastifyRequest, error: unknown): void {
    this.logger.error({ requestId: id, err: error }, 'The usage of a request could not be recorded.');
  }
}

function factOf(request: FastifyRequest, reply: FastifyReply, isFailure: boolean): UsageFact | undefined {
  const { usage, principal } = request;
  if (usage === undefined || principal === undefined) return undefined;
  return {
    organizationId: principal.organizationId,
    apiKeyId: principal.id,
    model: usage.model,
    isFailure: isFailure || reply.statusCode >= 400 || reply.raw.destroyed,
    inputTokens: usage.inputTokens,
    pages: usage.pages,
    milliseconds: reply.elapsedTime,
  };
}

/**
 * Forwards a stream except for its last chunk, which waits for `isReady`. A client that has received the whole stream
 * therefore knows that `isReady` resolved. If it rejects, the stream fails and never ends.
 */
function holdBackLastChunk(isReady: () => Promise<void>): Transform {
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      if (chunk.length === 0) return done();
      const previous = held;
      held = chunk;
      done(null, previous);
    },
    flush(done: TransformCallback) {
      isReady().then(() => done(null, held), done);
    },
  });
}

function isStream(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}
