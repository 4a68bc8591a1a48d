import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { signalOf } from '../client-signal.js';
import { holdBackLastChunk } from './hold-back-last-chunk.js';
import type { UsageRecorderService } from '../../usage/usage-recorder.service.js';
import type { UsageFact } from '../../usage/write-usage.js';

/**
 * Accounts for every request that has its `usage` set, once, before its answer ends: a client that has received the
 * whole answer has been accounted for. Where that fails, the client is told so: by a 503, or, in the middle of a
 * stream, by an answer that is cut off. A client that goes away earlier has made a failed request.
 */
export function meterResponses(fastify: FastifyInstance, recorder: UsageRecorderService, logger: Logger): void {
  const meter = new ResponseMeter(recorder, logger);
  fastify.decorateRequest('usage', undefined);
  fastify.addHook('preHandler', (request, reply, done) => {
    reply.raw.once('close', () => meter.recordFailure(request, reply));
    done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
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

  /** Whether nothing is to be recorded (any more); the answer to a failed recording is not recorded itself. */
  isDoneWith(request: FastifyRequest): boolean {
    return request.usage === undefined || this.recorded.has(request);
  }

  /** @throws AppError 503 when it could not be recorded */
  async record(request: FastifyRequest, reply: FastifyReply, isFailure = false): Promise<void> {
    if (this.isDoneWith(request)) return;
    this.recorded.add(request);
    const fact = factOf(request, reply, isFailure);
    if (fact !== undefined) await this.recorder.record(fact);
  }

  /** The stream, which ends only after the request was recorded. */
  recordAtEnd(payload: Readable, request: FastifyRequest, reply: FastifyReply): Readable {
    const metered = holdBackLastChunk(async () => {
      try {
        await this.record(request, reply);
      } catch (error) {
        this.logFailure(request, error);
        throw error;
      }
    });
    // A dozen parties wait for the end of a streamed answer: here, in Fastify and in Node.
    reply.raw.setMaxListeners(20);
    // Or the end of the connection would pass for a fault of the stream.
    addAbortSignal(signalOf(reply), metered);
    // A stream that fails is recorded with what follows from it: an error that is answered, or a closed connection.
    return pipeline(payload, metered, () => undefined);
  }

  /** Nobody waits for the outcome; the recorder finishes it even when the service stops. */
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

function isStream(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}
