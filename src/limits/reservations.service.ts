import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { ContinuousBatcher } from '../common/continuous-batcher.js';
import { ClientGoneError } from '../common/errors/client-gone-error.js';
import { organizationMoving } from '../common/errors/organization-moving.js';
import { toUnavailable } from '../common/errors/to-app-error.js';
import { defaultCurrency, ServiceConfig } from '../config/service-config.js';
import { DedicatedConnection } from '../database/dedicated-connection.js';
import { DatabaseHistory } from '../database/history/database-history.service.js';
import {
  type Admission,
  admissionSettings,
  type Count,
  type Counted,
  holdOf,
  type Reservation,
  StatesByOwner,
} from './admission.js';
import { type Demand, noAmounts, withOutput } from './amounts.js';
import { DatabaseClock } from './database-clock.js';
import { IdleHolds } from './idle-holds.js';
import { appliesTo } from './limit.js';
import { LimitErrors, usageNeed } from './limit-exceeded.js';
import { reserveAmounts, settleRequests } from './reservation-queries.js';
import { RunningRequests } from './running-requests.js';
import { WaitingLines } from './waiting-lines.js';

const maxBatchSize = 1000;
const maxQueueLength = 10_000;
const deadlineMilliseconds = 2000;
/** Requests of a key that wait for others. Further ones are rejected. */
const maxLineLength = 1000;
/** By then, holds that no request has taken over are released, so a request that waits this long can still get them. */
const leastWaitMilliseconds = 2000;

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

type Outcome = Reservation | 'waiting' | 'rejected';

/** Reserves what requests can use, once their body and model are known. */
@Injectable()
export class ReservationsService implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly logger = new Logger('Limits');
  private readonly connection: DedicatedConnection;
  private readonly batcher: ContinuousBatcher<PendingDemand, DedicatedConnection, Outcome>;
  private readonly lines = new WaitingLines();
  private readonly clock = new DatabaseClock();
  private readonly idleHolds: IdleHolds;
  readonly running: RunningRequests;
  /** Resolves when no statement is running. */
  private idle: Promise<unknown> = Promise.resolve();
  /** How long a request waits for reservations of others. */
  private readonly waitMilliseconds: number;
  private readonly currency: string;

  constructor(config: ServiceConfig, history: DatabaseHistory) {
    this.waitMilliseconds = config.limitWaitSeconds * 1000;
    this.currency = config.currency ?? defaultCurrency;
    const options = {
      applicationName: 'keycard reservations',
      timeoutMilliseconds: deadlineMilliseconds,
      maxAgeSeconds: config.connectionMaxAgeSeconds,
      setup: `${admissionSettings}; ${history.commitSetting}; set statement_timeout = ${deadlineMilliseconds}`,
    };
    this.connection = new DedicatedConnection(config.database, options, history);
    this.running = new RunningRequests((run) => this.inTurn(run), this.clock, this.logger);
    const release = (held: readonly Counted[]) => this.inTurn((connection) => settleRequests(connection, [], held));
    this.idleHolds = new IdleHolds(this.clock, release, this.logger);
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
   * others reserve waits, and no later one of its key overtakes it. Its output may be lowered to what is left.
   *
   * @param usage is marked as limited if a limit rejects the request
   * @returns undefined if the model's use isn't limited
   * @throws AppError 429 if the request doesn't fit, 503 if that can't be decided or its organization is moving;
   *   ClientGoneError
   */
  async reserve(
    admission: Admission | undefined,
    demand: Demand,
    usage: { isLimited?: true },
  ): Promise<Reservation | undefined> {
    if (admission === undefined || admission.limitsOf(demand).length === 0) return undefined;
    const outcome = this.takeOver(admission, demand) ?? (await this.waitForOutcome(admission, demand));
    if (admission.hasEnded) throw new ClientGoneError();
    if (typeof outcome === 'object') return outcome;
    if (admission.states.length === 0) throw organizationMoving();
    usage.isLimited = true;
    const errors = new LimitErrors(admission, usageNeed(demand), this.currency);
    const reason = outcome === 'waiting' ? errors.reserved() : (errors.exceeded() ?? errors.nearest());
    throw reason ?? new Error('A request was rejected without a reason.');
  }

  /**
   * Reserves what another attempt of a request can use in addition, if it fits now.
   *
   * @returns whether it fits, or its model isn't limited, with what is reserved
   * @throws AppError 503 if that can't be decided; ClientGoneError
   */
  async reserveMore(
    admission: Admission | undefined,
    demand: Demand,
  ): Promise<{ fits: boolean; reservation?: Reservation }> {
    if (admission === undefined || admission.limitsOf(demand).length === 0) return { fits: true };
    const outcome = await this.submit(newDemand(admission, demand, true));
    if (admission.hasEnded) throw new ClientGoneError();
    return typeof outcome === 'object' ? { fits: true, reservation: outcome } : { fits: false };
  }

  /** Releases what a request has reserved for a model that isn't asked any more, and has used nothing. */
  release(admission: Admission, reservation: Reservation): void {
    const index = admission.reservations.indexOf(reservation);
    if (index === -1) return;
    admission.reservations.splice(index, 1);
    // Limits count a request once, so it still counts in those that apply to its current model as well.
    const isKept = ({ limit }: Count) =>
      limit.metric === 'requests' ||
      (limit.metric === 'concurrency' && admission.reservations.some(({ model }) => appliesTo(limit, model)));
    const { at, counts } = reservation;
    admission.earlier.push({ at, counts: counts.filter(isKept) });
    this.settleUnused(admission, { ...reservation, counts: counts.filter((count) => !isKept(count)) }, false);
  }

  /** What a request that is to be settled doesn't release, because the next ones take it over. `handOn` must follow. */
  keep(admission: Admission): Counted[] {
    if (this.waitMilliseconds < leastWaitMilliseconds) return [];
    return admission.reservations.map((reservation) => this.idleHolds.keep(admission, reservation));
  }

  /** @param isSettled if that's unknown, what the request held expires */
  handOn(kept: readonly Counted[], isSettled: boolean): void {
    for (const counted of kept) {
      if (isSettled) this.idleHolds.add(counted);
      else this.idleHolds.forget(counted);
    }
  }

  /** Keeps what a request holds since its arrival from expiring. */
  track(admission: Admission): void {
    if (!admission.isRunning) return;
    this.clock.set(admission.arrival.at);
    this.running.add(admission);
  }

  /** Ends a request, which then holds nothing. Returns once what it holds can be settled. */
  async end(admission: Admission): Promise<void> {
    admission.end();
    await this.running.remove(admission);
  }

  beforeApplicationShutdown(): void {
    this.idleHolds.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.running.stop();
    await this.batcher.drain();
    await this.idleHolds.releaseAll();
    await this.idle;
    await this.connection.close();
  }

  /** Holds what earlier requests have left, if that is enough, and no request of the key waits. */
  private takeOver(admission: Admission, demand: Demand): Reservation | undefined {
    if (this.lines.lengthOf(admission.keyId) > 0) return undefined;
    const taken = this.idleHolds.take(admission, demand);
    return taken && this.begin(admission, toReservation(demand, demand, taken));
  }

  private async waitForOutcome(admission: Admission, demand: Demand): Promise<Outcome> {
    const { keyId } = admission;
    const pending = newDemand(admission, demand, false);
    const expiresAt = pending.arrivedAt + this.waitMilliseconds;
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
    const { at, generation, reserved, waiting, limits } = await reserveAmounts(connection, inOrder);
    this.clock.set(at);
    const states = new StatesByOwner(limits);
    for (const { admission } of pending) admission.states = states.of(admission.keyId, admission.organizationId);
    const outcomes = new Map<PendingDemand, Outcome>();
    for (const [position, since] of waiting) {
      const one = inOrder[position];
      if (one === undefined) continue;
      one.waitingSince = since;
      outcomes.set(one, 'waiting');
    }
    for (const [position, outputTokens] of reserved) {
      const one = inOrder[position];
      if (one === undefined) continue;
      const { admission, demand } = one;
      const granted = withOutput(demand, outputTokens);
      const counts = admission.limitsOf(demand).map((limit) => ({ limit, held: holdOf(limit, granted), generation }));
      outcomes.set(one, this.hold(one, toReservation(demand, granted, { at, counts })));
    }
    return pending.map((one) => outcomes.get(one) ?? 'rejected');
  }

  /** Ties a reservation to the request that asked for it, or releases it if that has ended in the meantime. */
  private hold({ admission, isAbandoned }: PendingDemand, reservation: Reservation): Reservation {
    if (!admission.hasEnded && !isAbandoned) return this.begin(admission, reservation);
    this.settleUnused(admission, reservation, true);
    return reservation;
  }

  private begin(admission: Admission, reservation: Reservation): Reservation {
    admission.reservations.push(reservation);
    admission.countedModels.push(reservation.model);
    this.running.add(admission);
    return reservation;
  }

  private settleUnused(admission: Admission, reservation: Reservation, isRefunded: boolean): void {
    const { keyId, organizationId } = admission;
    const reservations = [{ reservation, used: noAmounts }];
    const settled = { keyId, organizationId, limits: admission.states, isRefunded, counted: [], reservations };
    this.running.renewal
      .then(() => this.inTurn((connection) => settleRequests(connection, [settled])))
      .catch((error: unknown) => this.logger.warn('A reservation could not be released.', { err: error }));
  }

  /** Runs one statement after the other: pg will soon reject a second one on the same connection. */
  private inTurn<Result>(run: (connection: DedicatedConnection) => Promise<Result>): Promise<Result> {
    const result = this.idle.then(() => run(this.connection));
    this.idle = result.catch(() => undefined);
    return result;
  }
}

function newDemand(admission: Admission, demand: Demand, isLastAttempt: boolean): PendingDemand {
  const arrivedAt = performance.now();
  return { admission, demand, arrivedAt, waitingSince: null, isLastAttempt, isAbandoned: false };
}

/** @param granted the same with the output that it gets */
function toReservation({ model, output, estimate }: Demand, granted: Demand, counted: Counted): Reservation {
  const { tokens, pages, cost } = granted;
  const { at, counts } = counted;
  const isLowered = output !== undefined && granted.output !== undefined && granted.output.tokens < output.tokens;
  return {
    at,
    counts,
    model,
    held: { tokens, pages, cost },
    charged: { tokens: Math.min(estimate?.tokens ?? tokens, tokens), pages: Math.min(estimate?.pages ?? pages, pages) },
    outputLimit: isLowered ? granted.output.tokens : undefined,
  };
}
