import { addAbortSignal, pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { normalizeAddress } from '../common/http/client-address.js';
import type { MeterAmounts } from '../common/rules/meters.js';
import type { UsedOf } from '../limits/admission.js';
import { amountsOf } from '../limits/amounts.js';
import { rateLimitHeaders } from '../limits/rate-limit-headers.js';
import type { SettledRequest } from '../limits/settlements.js';
import type { ReservationsService } from '../limits/reservations.service.js';
import type { ModelPrices } from '../usage/cost/model-prices.js';
import type { FailureRecorderService } from '../usage/failures/failure-recorder.service.js';
import type { RequestLogService } from '../usage/requests/request-log.service.js';
import type { UsageRecorderService } from '../usage/usage-recorder.service.js';
import type { UsageFact } from '../usage/write-usage.js';
import { signalOf } from './client-signal.js';
import { logRequest } from './log-request.js';
import { recordIncomplete } from './record-failures.js';
import { ownUse, type RequestUsage, totalUse } from './request-usage.js';
import { EventResponse } from './upstreams/events/event-response.js';

/** Requests with these don't count: the key may not use the model, or there was no capacity. */
const refundedStatuses: ReadonlySet<number> = new Set([403, 503]);

declare module 'fastify' {
  interface FastifyRequest {
    /** Set as soon as the model is known, or a limit rejects the request. From then on it is metered, however it ends. */
    usage: RequestUsage | undefined;
    /** Whether its usage is recorded, or is being recorded. */
    isMetered: boolean;
  }
}

/**
 * Records the usage of each request of a scope once, before its response ends: a client that has received the whole
 * response has been metered. If recording fails, the client gets a 503, or a streamed response is cut off. A request
 * whose client disconnects earlier counts as failed.
 */
export class ResponseMeter {
  constructor(
    private readonly services: {
      recorder: UsageRecorderService;
      reservations: ReservationsService;
      failures: FailureRecorderService;
      requests: RequestLogService;
      prices: ModelPrices;
      logger: Logger;
    },
  ) {}

  /** Must come before anything is reserved for a request. */
  watchConnections(scope: FastifyInstance): void {
    scope.addHook('onRequest', (request, reply, done) => {
      reply.raw.once('close', () => this.finish(request, reply));
      done();
    });
  }

  recordBeforeEnd(scope: FastifyInstance): void {
    scope.decorateRequest('usage', undefined);
    scope.decorateRequest('isMetered', false);
    scope.decorateRequest('recordedUsage', undefined);
    scope.addHook('onSend', (request, reply, payload, done) => {
      const isDone = this.isDoneWith(request, reply);
      if (isDone || isStream(payload) || !request.admission?.isAdmitted) showLimits(request, reply);
      if (isDone) done(null, payload);
      else if (isStream(payload)) done(null, this.recordAtEnd(payload, request, reply));
      else this.record(request, reply).then(() => done(null, payload), done);
    });
  }

  /** Whether nothing is left to record. The error response to a failed recording isn't recorded. */
  private isDoneWith(request: FastifyRequest, { statusCode }: FastifyReply): boolean {
    const { usage, admission, isMetered } = request;
    const isSettled = admission?.isRunning !== true && (admission === undefined || !refundedStatuses.has(statusCode));
    return (usage === undefined && isSettled) || isMetered;
  }

  /** @throws AppError 503 if it can't be recorded */
  private async record(request: FastifyRequest, reply: FastifyReply, isFailure = false): Promise<void> {
    const { principal, usage } = request;
    if (this.isDoneWith(request, reply) || principal === undefined) return;
    request.isMetered = true;
    if (usage?.settling !== undefined) await usage.settling;
    const hasFailed = isFailure || usage?.failure !== undefined || reply.statusCode >= 400 || reply.raw.destroyed;
    const outcome = outcomeOf(usage, hasFailed);
    const own = ownUse(usage);
    const ownCost = usage?.isFree ? 0n : usage && this.services.prices.costOf({ ...own, model: usage.model, outcome });
    const cost = this.addAbandonedCost(ownCost, usage);
    const settlement = await this.settle(request, reply, { own, ownCost, cost });
    if (usage === undefined && settlement === undefined) return this.noteUse(request);
    const used = totalUse(usage, own);
    request.recordedUsage = { used, cost };
    let isSettled = false;
    try {
      await this.services.recorder.record({
        organizationId: principal.organizationId,
        apiKeyId: principal.id,
        model: usage?.model ?? '',
        outcome,
        ...used,
        ...(cost !== undefined && { cost }),
        milliseconds: reply.elapsedTime,
        firstTokenMilliseconds: usage?.firstTokenMilliseconds,
        address: normalizeAddress(request.ip),
        usesPreviousSecret: principal.usesPreviousSecret,
        ...(settlement && { settlement }),
      });
      isSettled = true;
    } finally {
      this.services.reservations.handOn(settlement?.kept ?? [], isSettled);
    }
  }

  /** Each model has its own price. */
  private addAbandonedCost(ownCost: bigint | undefined, usage: RequestUsage | undefined): bigint | undefined {
    const costs = (usage?.abandoned ?? []).map(({ model, used }) => {
      return this.services.prices.costOf({ ...used, model, outcome: 'failure' });
    });
    return [ownCost, ...costs].reduce((sum, cost) => (cost === undefined ? sum : (sum ?? 0n) + cost), undefined);
  }

  /** @returns what is to be settled; undefined if what the request was charged on arrival is final */
  private async settle(
    { admission, usage }: FastifyRequest,
    reply: FastifyReply,
    { own, ownCost, cost }: { own: MeterAmounts; ownCost: bigint | undefined; cost: bigint | undefined },
  ): Promise<SettledRequest | undefined> {
    if (admission === undefined || !admission.isAdmitted) return undefined;
    await this.services.reservations.end(admission);
    const isUnknown = usage?.isUnreported === true && usage.assumed === undefined;
    const used = isUnknown ? undefined : amountsOf(own, Number(ownCost ?? 0n));
    // Those of other models have been given up.
    const usedOf: UsedOf = (reservation) => reservation.used ?? used;
    admission.onUse?.(usedOf);
    if (!reply.raw.headersSent) showLimits({ admission, usage }, reply, { usedOf, cost });
    const isRefunded = usage?.isLimited === true || refundedStatuses.has(reply.statusCode);
    if (!admission.isRunning && !isRefunded) return undefined;
    const { keyId, organizationId, states: limits, requestCounts: counted } = admission;
    const reservations = admission.reservations.map((reservation) => ({
      reservation,
      used: usedOf(reservation) ?? null,
    }));
    const kept = this.services.reservations.keep(admission);
    return { keyId, organizationId, limits, isRefunded, counted, reservations, kept };
  }

  /** Returns the stream, which ends only after the request was recorded. */
  private recordAtEnd(payload: Readable, request: FastifyRequest, reply: FastifyReply): Readable {
    const isReady = async () => {
      try {
        await this.record(request, reply);
      } catch (error) {
        this.logFailure(request, error);
        throw error;
      }
    };
    // Fastify, Node and Keycard all listen for the end of a streamed response.
    reply.raw.setMaxListeners(20);
    if (payload instanceof EventResponse) {
      payload.recordBeforeEnd(() => this.recordEvents(isReady, request, reply));
      return addAbortSignal(signalOf(reply), payload);
    }
    const metered = holdBackLastChunk(isReady, () => request.usage?.expectsMore?.() === true);
    // Otherwise a disconnect would look like an error of the stream.
    addAbortSignal(signalOf(reply), metered);
    // A failed stream is recorded with its consequence: an error response or a closed connection.
    return pipeline(payload, metered, () => undefined);
  }

  /** A stream that has broken off says so itself, and counts as failed. */
  private async recordEvents(record: () => Promise<void>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await record();
    const failure = request.usage?.failure;
    if (failure !== undefined) recordIncomplete(this.services.failures, request, reply, failure.code);
  }

  /** Records a request that has ended, in the background. The recorder finishes even while the service stops. */
  finish(request: FastifyRequest, reply: FastifyReply): void {
    request.admission?.end();
    if (!this.isDoneWith(request, reply)) return this.recordFailure(request, reply);
    if (!request.isMetered) this.noteUse(request);
    logRequest(this.services.requests, request, reply);
  }

  /** The key was used, even if the request has no usage. */
  private noteUse({ principal, ip }: FastifyRequest): void {
    if (principal === undefined) return;
    const { id: apiKeyId, organizationId, usesPreviousSecret } = principal;
    this.services.recorder.noteUse({ apiKeyId, organizationId, address: normalizeAddress(ip), usesPreviousSecret });
  }

  private recordFailure(request: FastifyRequest, reply: FastifyReply): void {
    if (request.usage !== undefined) recordIncomplete(this.services.failures, request, reply);
    // Others that listen for the disconnect decide whether the upstream is still read.
    void Promise.resolve()
      .then(() => this.record(request, reply, true))
      .catch((error: unknown) => this.logFailure(request, error))
      .then(() => logRequest(this.services.requests, request, reply));
  }

  private logFailure({ id }: FastifyRequest, error: unknown): void {
    this.services.logger.error({ requestId: id, err: error }, 'The usage of a request could not be recorded.');
  }
}

/** @param used undefined if it isn't known yet: limits are then shown as they were before the request */
function showLimits(
  { admission, usage }: Pick<FastifyRequest, 'admission' | 'usage'>,
  reply: FastifyReply,
  used?: { usedOf: UsedOf; cost: bigint | undefined },
): void {
  if (admission === undefined) return;
  const { keyId, arrivalStates: states } = admission;
  if (used === undefined) return void reply.headers(rateLimitHeaders({ keyId, states }));
  const after = { keyId, states: admission.statesAfter(used.usedOf), cost: Number(used.cost ?? 0n) };
  void reply.headers(rateLimitHeaders(usage?.model ? { ...after, model: usage.model } : after));
}

/** Requests that fail before their model is known aren't recorded. */
function outcomeOf(usage: RequestUsage | undefined, hasFailed: boolean): UsageFact['outcome'] {
  if (usage === undefined) return 'unrecorded';
  if (usage.isLimited) return 'limited';
  return hasFailed ? 'failure' : 'success';
}

/**
 * Forwards a stream except for its last chunk, which waits for `isReady`. A client that has received the whole stream
 * therefore knows that `isReady` resolved. If it rejects, the stream fails and never ends.
 *
 * @param expectsMore whether the chunk can't be the last, so that it passes immediately
 */
function holdBackLastChunk(isReady: () => Promise<void>, expectsMore: () => boolean): Transform {
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      if (chunk.length === 0) return done();
      if (held !== undefined) this.push(held);
      const passes = expectsMore();
      held = passes ? undefined : chunk;
      done(null, passes ? chunk : undefined);
    },
    flush(done: TransformCallback) {
      isReady().then(() => done(null, held), done);
    },
  });
}

function isStream(payload: unknown): payload is Readable {
  return typeof payload === 'object' && payload !== null && 'pipe' in payload;
}
