import type { Readable } from 'node:stream';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'undici';
import { unavailable } from '../../common/errors/app-error.js';
import { errorMessage } from '../../common/errors/error-utils.js';
import type { Task, UpstreamTarget } from '../../config/model-definition.js';
import { type ForwardedRequest, UpstreamExchange } from './upstream-exchange.js';
import { UpstreamFailure } from './upstream-failure.js';
import { UpstreamServer } from './upstream-server.js';

const connectTimeoutMilliseconds = 5000;

/** A model served by upstreams. */
interface UpstreamModel {
  readonly task: Task;
  readonly servedBy: { readonly targets: readonly UpstreamTarget[] };
}

/** Forwards requests to upstreams. */
@Injectable()
export class UpstreamsService implements OnApplicationShutdown {
  private readonly logger = new Logger('Upstreams');
  /** By origin. Targets that differ only in model or path share connections. */
  private readonly pools = new Map<string, Pool>();
  private readonly servers = new Map<UpstreamTarget, UpstreamServer>();

  /**
   * Forwards a request to one of the model's targets, and to another if the first has certainly not processed it.
   *
   * @returns the JSON body of the response: complete if it is small, else a stream, which breaks when the response does
   * @throws AppError 4xx for an invalid request; 429, 502, 503 or 504 if no upstream responds to it
   */
  async forward({ task, servedBy }: UpstreamModel, request: ForwardedRequest): Promise<Buffer | Readable> {
    const { requestId } = request;
    const start = performance.now();
    const servers = servedBy.targets.map((target) => this.serverOf(target, task));
    let failure: UpstreamFailure | undefined;
    for (const server of inRandomOrder(servers)) {
      const millisecondsLeft = start + server.target.timeoutSeconds * 1000 - performance.now();
      const pass = millisecondsLeft > 0 ? server.circuit.enter() : undefined;
      if (pass === undefined) continue;
      if (failure !== undefined) this.logger.warn(`${failure.message} Another server is asked.`, { requestId });
      const onCut = (reason: unknown) => this.logger.error(errorMessage(reason), { requestId });
      try {
        return await new UpstreamExchange(server, request, pass, onCut).run(millisecondsLeft);
      } catch (error) {
        if (!(error instanceof UpstreamFailure)) throw error;
        failure = error;
        if (!error.maySendElsewhere || !request.body.canBeRepeated) break;
      }
    }
    throw this.toAppError(failure, servers, requestId);
  }

  /** Whether requests may be sent to one of the targets: its circuit is closed, or due for a probe. */
  canServe(targets: readonly UpstreamTarget[]): boolean {
    return targets.some((target) => (this.servers.get(target)?.circuit.millisecondsToProbe() ?? 0) === 0);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(Array.from(this.pools.values(), (pool) => pool.destroy()));
  }

  private toAppError(failure: UpstreamFailure | undefined, servers: UpstreamServer[], requestId: string): Error {
    if (failure === undefined) {
      const pauses = servers.map(({ circuit }) => circuit.millisecondsToProbe());
      const seconds = Math.max(1, Math.ceil(Math.min(...pauses) / 1000));
      return unavailable('upstream-unavailable', 'The servers of the model have failed; try again shortly.', seconds);
    }
    // 5xx errors are logged with their cause elsewhere.
    if (failure.answer.status < 500) this.logger.warn(failure.message, { requestId });
    return failure.answer;
  }

  private serverOf(target: UpstreamTarget, task: Task): UpstreamServer {
    const known = this.servers.get(target);
    if (known !== undefined) return known;
    const server = new UpstreamServer(target, task, this.poolOf(new URL(target.baseUrl).origin));
    this.servers.set(target, server);
    return server;
  }

  private poolOf(origin: string): Pool {
    const known = this.pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, {
      connect: { timeout: connectTimeoutMilliseconds },
      // Each request has a deadline of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.pools.set(origin, pool);
    return pool;
  }
}

/** The upstreams in random order, by weight. */
function* inRandomOrder(servers: readonly UpstreamServer[]): Generator<UpstreamServer> {
  const left = [...servers];
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
