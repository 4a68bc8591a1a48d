import type { Readable } from 'node:stream';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'undici';
import { unavailable } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import { loadUndici } from '../../common/http/load-undici.js';
import type { UpstreamTarget } from '../../config/model-definition.js';
import { MetricsService } from '../../metrics/metrics.service.js';
import { type CircuitState, UpstreamClient } from './upstream-client.js';
import { type ForwardedRequest, UpstreamExchange } from './upstream-exchange.js';
import { UpstreamFailure } from './upstream-failure.js';
import { type UpstreamError, UpstreamHealth } from './upstream-health.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

const connectTimeoutMilliseconds = 5000;

/** Health of a target, as this replica has seen it. */
export interface UpstreamStatus {
  readonly circuit: CircuitState;
  readonly p95Milliseconds: number | null;
  readonly lastError: UpstreamError | undefined;
}

/** Forwards requests to upstreams. */
@Injectable()
export class UpstreamsService implements OnApplicationShutdown {
  private readonly logger = new Logger('Upstreams');
  /** By origin. Targets that differ only in model or path share connections. */
  private readonly pools = new Map<string, Pool>();
  private readonly clients = new Map<UpstreamTarget, UpstreamClient>();

  constructor(private readonly metrics: MetricsService) {}

  /**
   * Forwards a request to one of the model's targets, and to another if the first definitely didn't process it.
   *
   * @param targets of the model, which all have the same protocol
   * @returns the JSON body of the response: complete if it arrived at once, else a stream, which breaks when the response
   *   does
   * @throws AppError 4xx for an invalid request; 429, 502, 503 or 504 if no upstream responds to it
   */
  async forward(
    targets: readonly UpstreamTarget[],
    protocol: UpstreamProtocol,
    request: ForwardedRequest,
  ): Promise<Buffer | Readable> {
    const { requestId } = request;
    const start = performance.now();
    const upstreams = targets.map((target) => this.clientOf(target, protocol));
    let failure: UpstreamFailure | undefined;
    for (const upstream of inRandomOrder(upstreams)) {
      const millisecondsLeft = start + upstream.target.timeoutSeconds * 1000 - performance.now();
      const pass = millisecondsLeft > 0 ? upstream.circuit.enter() : undefined;
      if (pass === undefined) continue;
      if (failure !== undefined) this.logger.warn(`${failure.message} Trying another target.`, { requestId });
      const onCut = (reason: unknown) => this.logger.error(errorMessage(reason), { requestId });
      try {
        return await new UpstreamExchange(upstream, request, pass, onCut).run(millisecondsLeft);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failure = error;
        if (!error.maySendElsewhere || !request.body.canBeRepeated) break;
      }
    }
    throw this.toAppError(failure, upstreams, requestId);
  }

  /** Whether requests may be sent to one of the targets: its circuit is closed, or due for a probe. */
  canServe(targets: readonly UpstreamTarget[]): boolean {
    return targets.some((target) => (this.clients.get(target)?.circuit.millisecondsToProbe() ?? 0) === 0);
  }

  /** What this replica knows about a target. */
  statusOf(target: UpstreamTarget): UpstreamStatus {
    const client = this.clients.get(target);
    return {
      circuit: client?.circuit.state ?? 'closed',
      p95Milliseconds: client?.health.p95Milliseconds ?? null,
      lastError: client?.health.lastError,
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Array.from(this.pools.values(), (pool) => pool.destroy()));
  }

  private toAppError(failure: UpstreamFailure | undefined, upstreams: UpstreamClient[], requestId: string): Error {
    if (failure === undefined) {
      const pauses = upstreams.map(({ circuit }) => circuit.millisecondsToProbe());
      const seconds = Math.max(1, Math.ceil(Math.min(...pauses) / 1000));
      return unavailable('upstream-unavailable', 'All upstreams of the model have failed. Retry later.', seconds);
    }
    // 5xx errors are logged with their cause elsewhere.
    if (failure.clientError.status < 500) this.logger.warn(failure.message, { requestId });
    return failure.clientError;
  }

  private clientOf(target: UpstreamTarget, protocol: UpstreamProtocol): UpstreamClient {
    const known = this.clients.get(target);
    if (known !== undefined) return known;
    const { host, origin } = new URL(target.baseUrl);
    const health = new UpstreamHealth((outcome, milliseconds) => {
      this.metrics.upstreamRequests.record?.({ server_address: host, outcome }, milliseconds / 1000);
    });
    const client = new UpstreamClient(target, protocol, this.poolOf(origin), health);
    this.clients.set(target, client);
    return client;
  }

  private poolOf(origin: string): Pool {
    const known = this.pools.get(origin);
    if (known !== undefined) return known;
    const { Pool } = loadUndici();
    const pool = new Pool(origin, {
      connect: { timeout: connectTimeoutMilliseconds },
      // Each request has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.pools.set(origin, pool);
    return pool;
  }
}

/** The targets in random order, by weight. */
function* inRandomOrder(upstreams: readonly UpstreamClient[]): Generator<UpstreamClient> {
  const left = [...upstreams];
  while (left.length > 0) yield* left.splice(chooseByWeight(left, Math.random()), 1);
}

/**
 * Picks an item at random, by weight.
 *
 * @param items not empty; weights are above 0
 * @param random from 0 to below 1
 * @returns the index of the item
 */
export function chooseByWeight(items: readonly { readonly weight: number }[], random: number): number {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random * total;
  const index = items.findIndex(({ weight }) => (rest -= weight) < 0);
  // Rounding errors may leave a rest after the last item.
  return index === -1 ? items.length - 1 : index;
}
