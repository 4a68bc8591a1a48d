import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { ClientGoneError } from '../common/errors/client-gone-error.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { DatabaseHistory } from '../database/history/database-history.service.js';
import { type Admission, admissionSettings, noAmounts, StatesByOwner } from './admission.js';
import { limitExceeded, limitReserved, usageNeed } from './limit-exceeded.js';
import { type Demand, reserveUsage, settleRequests } from './reservation-queries.js';
import { RunningReservations } from './running-reservations.js';
import { WaitingLines } from './waiting-lines.js';

const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;
/** Requests of a key that wait for others. Further ones are rejected. */
const maxLineLength = 1000;

/** A request that asks for a reservation. */
interface PendingDemand {
  readonly admission: Admission;
  readonly demand: Demand;
  /** When it asked first, from `performance.now()`. */
  readonly arrivedAt: number;
  /** Since when it has waited, by the database's clock in microseconds; null until then. */
  waitingSince: number | null;
  /** Whether it won't wait any longer. */
  isLastAttempt: boolean;
  /** Whether the decision comes too late. */
  isAbandoned: boolean;
}

type Outcome = 'reserved' | 'waiting' | 'rejected';

/** Reserves what requests can use, once their body and model are known. */
@Injectable()
export class ReservationsService implements OnApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly connection: DedicatedConnection;
  private readonly batcher: ContinuousBatcher<PendingDemand, DedicatedConnection, Outcome>;
  private readonly lines = new WaitingLines();
  readonly running: RunningReservations;
  /** Resolves when no statement is running. */
  private idle: Promise<unknown> = Promise.resolve();
  /** How long a request waits for reservations of others. */
  private readonly waitMilliseconds: number;

  constructor(config: ServiceConfig, history: DatabaseHistory) {
    this.waitMilliseconds = config.limitWaitSeconds * 1000;
    const options = {
      applicationName: 'keycard reservations',
      timeoutMilliseconds: deadlineMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      setup: `${admissionSettings}; ${history.commitSetting}; set statement_timeout = ${deadlineMilliseconds}`,
    };
    this.connection = new DedicatedConnection(config.database, options, history);
    this.running = new RunningReservations((run) => this.inTurn(run), this.logger);
    this.batcher = new ContinuousBatcher({
      lanes: [this.connection],
      maxBatchSize,
      maxQueueLength,
      deadlineMilliseconds,
      execute: (_connection, pending) => this.inTurn((connection) => this.decide(connection, pending)),
    });
  }

  /** Number of requests that wait for reservations of others. */
  get waitingCount(): number {
    return this.lines.count;
  }

  /**
   * Reserves the most that a request can use, before it uses anything. A request that doesn't fit only because of what
   * others reserve waits, and no later one of its key overtakes it.
   *
   * @param usage is marked as limited if a limit rejects the request
   * @throws AppError 429 if the request doesn't fit, 503 if that can't be decided; ClientGoneError
   */
  async reserve(admission: Admission | undefined, demand: Demand, usage: { isLimited?: true }): Promise<void> {
    const isLimited = (metric: 'tokens' | 'pages') => demand[metric] > 0 && admission?.limits(metric) === true;
    if (admission === undefined || !(isLimited('tokens') || isLimited('pages'))) return;
    const outcome = await this.waitForOutcome(admission, demand);
    if (admission.hasEnded) throw new ClientGoneError();
    if (outcome === 'reserved') return;
    usage.isLimited = true;
    const need = usageNeed(demand);
    const reason = outcome === 'waiting' ? limitReserved(admission, need) : limitExceeded(admission, need);
    throw reason ?? new Error('A request was rejected without a reason.');
  }

  /** Ends a request, which then holds nothing. Returns once its reservation can be settled. */
  async end(admission: Admission): Promise<void> {
    admission.end();
    await this.running.remove(admission);
  }

  async onApplicationShutdown(): Promise<void> {
    this.running.stop();
    await this.batcher.drain();
    await this.idle;
    await this.connection.close();
  }

  private async waitForOutcome(admission: Admission, demand: Demand): Promise<Outcome> {
    const { keyId } = admission;
    const arrivedAt = performance.now();
    const expiresAt = arrivedAt + this.waitMilliseconds;
    const pending: PendingDemand = {
      admission,
      demand,
      arrivedAt,
      waitingSince: null,
      isLastAttempt: false,
      isAbandoned: false,
    };
    pending.isLastAttempt = this.waitMilliseconds === 0 || this.lines.lengthOf(keyId) >= maxLineLength;
    let outcome = await this.submit(pending);
    if (outcome !== 'waiting' || pending.isLastAttempt) return outcome;
    const place = this.lines.join(keyId, expiresAt);
    admission.onEnd = place.leave;
    try {
      while (outcome === 'waiting' && !pending.isLastAttempt) {
        await place.next();
        if (admission.hasEnded) return 'rejected';
        pending.isLastAttempt = performance.now() >= expiresAt;
        outcome = await this.submit(pending);
      }
      return outcome;
    } finally {
      place.leave();
      admission.onEnd = undefined;
    }
  }

  private async submit(pending: PendingDemand): Promise<Outcome> {
    try {
      return await this.batcher.submit(pending);
    } catch (error) {
      pending.isAbandoned = true;
      throw toUnavailable(error, "The database is unavailable: limits can't be checked. Try again shortly.");
    }
  }

  /** Decides about requests in the order in which they asked first. */
  private async decide(connection: DedicatedConnection, pending: PendingDemand[]): Promise<Outcome[]> {
    const inOrder = [...pending].sort((one, other) => one.arrivedAt - other.arrivedAt);
    const rows = inOrder.map(({ admission: { keyId, organizationId }, demand, waitingSince, isLastAttempt }) => {
      return { keyId, organizationId, demand, waitingSince, isLastAttempt };
    });
    const { at: reservedAt, generation, reserved, waiting, limits } = await reserveUsage(connection, rows);
    const states = new StatesByOwner(limits);
    for (const { admission } of pending) admission.states = states.of(admission.keyId, admission.organizationId);
    for (const [position, since] of waiting) Object.assign(inOrder[position] ?? {}, { waitingSince: since });
    const areReserved = new Set(reserved.map((position) => inOrder[position]));
    const areWaiting = new Set(waiting.map(([position]) => inOrder[position]));
    for (const one of inOrder) {
      if (!areReserved.has(one)) continue;
      const { tokens, pages, estimate } = one.demand;
      const held = { tokens, pages };
      this.hold(one, { reservedAt, generation, held, charged: estimate ?? held });
    }
    return pending.map((one) => (areReserved.has(one) ? 'reserved' : areWaiting.has(one) ? 'waiting' : 'rejected'));
  }

  /** Ties a reservation to the request that asked for it, or releases it if that has ended in the meantime. */
  private hold({ admission, isAbandoned }: PendingDemand, reservation: NonNullable<Admission['reservation']>): void {
    if (!admission.hasEnded && !isAbandoned) {
      admission.reservation = reservation;
      this.running.add(admission);
      return;
    }
    const { keyId, organizationId, countedAt } = admission;
    const settled = { keyId, organizationId, countedAt, isRefunded: false, reservation, used: noAmounts };
    this.inTurn((connection) => settleRequests(connection, [settled])).catch((error: unknown) => {
      this.logger.warn('A reservation could not be released.', { err: error });
    });
  }

  /** Runs one statement after the other: pg will soon reject a second one on the same connection. */
  private inTurn<Result>(run: (connection: DedicatedConnection) => Promise<Result>): Promise<Result> {
    const result = this.idle.then(() => run(this.connection));
    this.idle = result.catch(() => undefined);
    return result;
  }
}
