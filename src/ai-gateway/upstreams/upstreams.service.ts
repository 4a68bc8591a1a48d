import type { Readable } from 'node:stream';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'undici';
import { unavailable } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import { loadUndici } from '../../common/http/load-undici.js';
import type { UpstreamTarget } from '../../config/model-definition.js';
import { MetricsService } from '../../metrics/metrics.service.js';
import { type CircuitState, type Pass, UpstreamClient } from './upstream-client.js';
import { Drains } from './drains.js';
import type { ForwardedRequest } from './forwarded-request.js';
import { UpstreamExchange } from './upstream-exchange.js';
import { UpstreamFailure } from './upstream-failure.js';
import { type UpstreamError, UpstreamHealth } from './upstream-health.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

const defaultConnectSeconds = 5;

/** Health of a target, as this replica has seen it. */
export interface UpstreamStatus {
  readonly circuit: CircuitState;
  readonly p95Milliseconds: number | null;
  readonly errorShare: number | null;
  readonly lastError: UpstreamError | undefined;
}

/** Forwards requests to upstreams. */
@Injectable()
export class UpstreamsService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('Upstreams');
  /** By origin and time to connect. Targets that differ only in model or path share connections. */
  private readonly pools = new Map<string, Pool>();
  private readonly clients = new Map<UpstreamTarget, UpstreamClient>();

  private readonly drains = new Drains();
  /** Called when the circuit of a target opens or closes. Must not fail. */
  onCircuitChange: (target: UpstreamTarget, isOpen: boolean) => void = () => undefined;

  constructor(private readonly metrics: MetricsService) {}

  /**
   * Forwards a request to one of the model's targets, and to another if the first definitely didn't process it; with a
   * protocol that reports errors, if another may succeed where it has failed.
   *
   * @param models the targets of the model, and of further models that are tried after it
   * @returns the JSON body of the response: complete if it arrived at once, else a stream, which breaks when the response
   *   does
   * @throws AppError 4xx for an invalid request; 429, 502, 503 or 504 if no upstream responds to it
   */
  async forward(
    models: readonly (readonly UpstreamTarget[])[],
    protocol: UpstreamProtocol,
    request: ForwardedRequest,
  ): Promise<Buffer | Readable> {
    const { requestId } = request;
    const start = performance.now();
    const upstreams = models.map((targets) => targets.map((target) => this.clientOf(target)));
    let failure: UpstreamFailure | undefined;
    for (const upstream of inRandomOrder(upstreams)) {
      const { target } = upstream;
      const millisecondsLeft = start + target.timeoutSeconds * 1000 - performance.now();
      const pass = millisecondsLeft > 0 ? upstream.circuit.enter() : undefined;
      if (pass === undefined) continue;
      if (request.prepare !== undefined && !(await mayUse(request.prepare, upstream, pass))) continue;
      if (failure !== undefined) this.logger.warn(`${failure.message} Trying another target.`, { requestId });
      const onCut = (reason: unknown) => this.logger.error(errorMessage(reason), { requestId });
      try {
        const exchange = new UpstreamExchange(upstream, protocol, request, pass, this.drains, onCut);
        return await exchange.run(millisecondsLeft);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failure = error;
        const mayTryAnother = protocol.reportsErrors === true ? error.maySucceedElsewhere : error.maySendElsewhere;
        if (!mayTryAnother || !request.body.canBeRepeated) break;
      }
    }
    throw this.toAppError(failure, upstreams.flat(), requestId);
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
      errorShare: client?.health.errorShare ?? null,
      lastError: client?.health.lastError,
    };
  }

  /** What they have used is recorded while the database is still connected. */
  beforeApplicationShutdown(): void {
    this.drains.cancelAll();
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

  private clientOf(target: UpstreamTarget): UpstreamClient {
    const known = this.clients.get(target);
    if (known !== undefined) return known;
    const { baseUrl, connectSeconds = defaultConnectSeconds } = target;
    const { host, origin } = new URL(baseUrl);
    const health = new UpstreamHealth((outcome, milliseconds) => {
      this.metrics.upstreamRequests.record?.({ server_address: host, outcome }, milliseconds / 1000);
    });
    const client = new UpstreamClient(target, this.poolOf(origin, connectSeconds), health, (isOpen) =>
      this.onCircuitChange(target, isOpen),
    );
    this.clients.set(target, client);
    return client;
  }

  private poolOf(origin: string, connectSeconds: number): Pool {
    const name = `${origin} ${connectSeconds}`;
    const known = this.pools.get(name);
    if (known !== undefined) return known;
    const { Pool } = loadUndici();
    const pool = new Pool(origin, {
      connect: { timeout: connectSeconds * 1000 },
      // Each request has its own deadline.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.pools.set(name, pool);
    return pool;
  }
}

/** The circuit must not wait for a request that isn't sent. */
async function mayUse(
  prepare: NonNullable<ForwardedRequest['prepare']>,
  { target, circuit }: UpstreamClient,
  pass: Pass,
): Promise<boolean> {
  let isPrepared = false;
  try {
    isPrepared = await prepare(target);
  } finally {
    if (!isPrepared) circuit.leave(pass, 'unknown');
  }
  return isPrepared;
}

/** The targets of one model after the other, those of a model in random order, by weight. */
function* inRandomOrder(models: readonly (readonly UpstreamClient[])[]): Generator<UpstreamClient> {
  for (const upstreams of models) {
    const left = [...upstreams];
    while (left.length > 0) yield* left.splice(chooseByWeight(left, Math.random()), 1);
  }
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
