import type { Amounts, MeteredMetric } from '../../../src/limits/amounts.js';
import { isBudget, type Metric, type Period } from '../../../src/common/rules/limit-rules.js';
import { type Count, Counter, type LimitNow } from './counter.js';

/** Like `tolerance` in the functions. */
const tolerance = 1e-6;
/** Prices have 12 decimals more than costs. */
const priceScale = 10n ** 12n;

export interface ModelLimit {
  /** `organization`, or the name of a key. */
  readonly owner: string;
  readonly metric: Metric;
  readonly per?: Period;
  readonly models?: readonly string[];
  readonly max: number;
  readonly increase?: { readonly by: number; readonly until: number };
}

/** Such as `a tokens day m1,m2`. */
export function nameOf({ owner, metric, per, models = [] }: Omit<ModelLimit, 'max'>): string {
  return [owner, metric, per ?? '', models.join()].join(' ').trim();
}

/** The most that a request can use, and how its output can be lowered. */
export interface ModelDemand {
  readonly model: string;
  readonly most: Readonly<Record<'tokens' | 'cost', number>>;
  /** What limits that refill charge instead; undefined if the amounts are exact. */
  readonly estimate: number | undefined;
  /** Tokens of each choice; 0 if output can't be lowered. */
  readonly output: number;
  readonly leastOutput: number;
  readonly choices: number;
  readonly price: bigint;
}

export type Decision =
  /** `output` is what it gets. */
  | { readonly outcome: 'reserved'; readonly output: number }
  | { readonly outcome: 'waiting' }
  /** The names of limits that leave too little, even if running requests use nothing. */
  | { readonly outcome: 'exceeded'; readonly limits: readonly string[] };

/** How buckets change when a request is settled. */
type Corrections = Map<Counter, number>;

/** What a request holds for one model. */
interface ModelReservation {
  readonly model: string;
  readonly held: Amounts;
  readonly at: number;
  readonly counts: Count[];
  /** Set when the request was given up by its upstream, which may have used something. */
  used?: Amounts;
}

interface ModelRequest {
  readonly id: number;
  readonly key: string;
  readonly replica: number;
  /** Names of limits when the latest decision was made. */
  known: readonly string[];
  /** What was counted apart from reservations. */
  readonly counted: Count[];
  readonly reservations: ModelReservation[];
  /** Models whose limits on requests have counted it. */
  readonly countedModels: string[];
  demand: ModelDemand | undefined;
  /** What it holds for the model that serves it, if limits apply to that. */
  current: ModelReservation | undefined;
}

interface Options {
  readonly limits: readonly ModelLimit[];
  readonly timeZone: string;
}

/**
 * What limits mean, in memory and in virtual time: requests are counted on arrival, reserve the most they can use once that is
 * known, wait in order of arrival for reservations of others, and are settled when they end.
 *
 * It differs from the prototype on purpose: a request only waits while it could get more by waiting, because it shouldn't
 * wait for nothing; limits that refill charge an estimate, because their debt is soon paid; and what running requests hold
 * must be renewed every 15 seconds, because replicas may be killed.
 */
export class AdmissionModel {
  private limits: readonly ModelLimit[];
  private timeZone: string;
  /** By name. They outlive their limits. */
  private readonly counters = new Map<string, Counter>();
  private readonly requests = new Map<number, ModelRequest>();
  private readonly waiting: number[] = [];

  constructor({ limits, timeZone }: Options) {
    this.limits = limits;
    this.timeZone = timeZone;
    for (const limit of limits) this.counters.set(nameOf(limit), new Counter(limit));
  }

  get definitions(): readonly ModelLimit[] {
    return this.limits;
  }

  get waitingIds(): readonly number[] {
    return this.waiting;
  }

  /** All limits. */
  states(now: number): LimitNow[] {
    return this.limits.map((limit) => this.stateOf(limit, now));
  }

  /**
   * Something of the tokens and money that a request will use must be left.
   *
   * @returns the names of the limits it exceeds; none if it's admitted
   */
  arrive({ id, key, replica }: Pick<ModelRequest, 'id' | 'key' | 'replica'>, now: number): readonly string[] {
    const limits = this.limitsOf(key, now);
    const counting = limits.filter(({ limit: { models } }) => models === undefined);
    const exceeded = counting.filter(({ limit: { metric }, left, free }) => {
      return (metric === 'concurrency' ? free : left) < 1 - tolerance;
    });
    if (exceeded.length > 0) return namesOf(exceeded);
    const counted = counting.flatMap((state) => (countsRequests(state.limit.metric) ? [this.count(state, now)] : []));
    this.requests.set(id, {
      ...{ id, key, replica, counted },
      known: namesOf(limits),
      ...{ reservations: [], countedModels: [], demand: undefined, current: undefined },
    });
    return [];
  }

  /** Whether limits decide about a demand. Later ones don't: they didn't exist when the request arrived. */
  isLimited(id: number, { model }: ModelDemand): boolean {
    const { known, countedModels } = this.find(id);
    return known.some((name) => {
      const limit = this.counterOf(name).limit;
      if (limit.models === undefined) return !countsRequests(limit.metric);
      if (!limit.models.includes(model)) return false;
      return !countsRequests(limit.metric) || !countedModels.some((one) => limit.models?.includes(one));
    });
  }

  /** Whether the order of this request and of one that waits would be left to chance: no budget of both decides it. */
  hasRival(id: number, demand: ModelDemand, now: number): boolean {
    const limits = this.applicable(this.find(id), demand, now);
    return this.waiting.some((other) => {
      const request = this.find(other);
      if (request.demand === undefined) return false;
      const others = new Set(namesOf(this.applicable(request, request.demand, now)));
      const shared = limits.filter(({ limit }) => others.has(nameOf(limit)));
      return shared.length > 0 && !shared.some(({ limit }) => canWaitFor(limit));
    });
  }

  /** @param isLastAttempt whether it won't wait */
  demand(id: number, demand: ModelDemand, isLastAttempt: boolean, now: number): Decision {
    const request = this.find(id);
    const decision = this.decide(request, demand, isLastAttempt, now);
    request.demand = demand;
    if (decision.outcome === 'waiting' && !isLastAttempt) this.waiting.push(id);
    return decision;
  }

  /** Another attempt of a request, which doesn't wait. The first one is over if this one fits. */
  demandMore(id: number, demand: ModelDemand, abandonedUse: Amounts | undefined, now: number): Decision {
    const request = this.find(id);
    const first = request.current;
    const decision = this.isLimited(id, demand)
      ? this.decide(request, demand, true, now)
      : ({ outcome: 'reserved', output: demand.output } as const);
    if (decision.outcome !== 'reserved') return decision;
    // No limits apply to the model.
    if (request.current === first) request.current = undefined;
    if (first === undefined) return decision;
    if (abandonedUse === undefined) this.release(request, first, now);
    else first.used = abandonedUse;
    return decision;
  }

  /** Decides about waiting requests again, in their order. Returns those that don't wait any more. */
  retry(now: number): Map<number, Decision> {
    const decided = new Map<number, Decision>();
    for (const id of [...this.waiting]) {
      const request = this.find(id);
      if (request.demand === undefined) throw new Error('A waiting request has no demand.');
      const decision = this.decide(request, request.demand, false, now);
      if (decision.outcome === 'waiting') continue;
      this.waiting.splice(this.waiting.indexOf(id), 1);
      decided.set(id, decision);
    }
    return decided;
  }

  /** What has become of what a request holds. */
  fatesOf(id: number, now: number): string[] {
    return countsOf(this.find(id)).flatMap((count) => {
      count.counter.advance(this.timeZone, now);
      return count.counter.fateOf(count, now) ?? [];
    });
  }

  /** @param used undefined if it isn't known: as much as was reserved is charged */
  end(id: number, used: Amounts | undefined, isRefunded: boolean, now: number): void {
    const request = this.find(id);
    const { key, reservations } = request;
    const corrections: Corrections = new Map();
    for (const reservation of reservations)
      this.settle(key, reservation, reservation.used ?? used, { corrections, now });
    for (const count of countsOf(request)) {
      const { counter } = count;
      const { metric } = counter.limit;
      if (metric === 'concurrency') counter.release(count);
      if (metric !== 'requests' || !isRefunded) continue;
      counter.advance(this.timeZone, now);
      if (counter.isBudget) counter.refund(count, now);
      else this.correct(count, 0, { corrections, now });
    }
    this.apply(corrections, now);
    this.forget(id);
  }

  /** Forgets the requests of a replica, which are never settled. */
  kill(replica: number): number[] {
    const lost = [...this.requests.values()].filter((request) => request.replica === replica).map(({ id }) => id);
    for (const id of lost) this.forget(id);
    return lost;
  }

  /**
   * Renews what requests of replicas hold.
   *
   * @returns whether any of it had expired
   */
  renew(replicas: readonly number[], now: number): boolean {
    const renewed = [...this.requests.values()].filter(({ replica }) => replicas.includes(replica)).flatMap(countsOf);
    return renewed
      .map((count) => {
        count.counter.advance(this.timeZone, now);
        return count.counter.renew(count, now);
      })
      .includes(true);
  }

  /** Changes, adds or removes a limit. A limit that's added again keeps what its budget has been charged. */
  setLimit(name: string, limit: ModelLimit | undefined, now: number): void {
    const before = this.limits.find((one) => nameOf(one) === name);
    this.limits = this.limits.filter((one) => one !== before);
    if (limit === undefined) return;
    this.limits = [...this.limits, limit];
    const counter = this.counters.get(name) ?? new Counter(limit);
    this.counters.set(name, counter);
    counter.advance(this.timeZone, now);
    counter.limit = limit;
    if (before === undefined) counter.reopen(now);
  }

  /** @returns false if it would move charges to another period: the service promises nothing about that */
  setTimeZone(timeZone: string, now: number): boolean {
    const moves = (counter: Counter, at: number) =>
      at >= counter.periodStart(this.timeZone, now) !== at >= counter.periodStart(timeZone, now);
    const hasMoved =
      [...this.counters.values()].some((counter) => moves(counter, counter.changedAt)) ||
      [...this.requests.values()].flatMap(countsOf).some(({ counter, at }) => moves(counter, at));
    if (!hasMoved) this.timeZone = timeZone;
    return !hasMoved;
  }

  private settle(
    key: string,
    { model, held, at, counts }: ModelReservation,
    used: Amounts | undefined,
    { corrections, now }: { corrections: Corrections; now: number },
  ): void {
    for (const count of counts) {
      const { metric } = count.counter.limit;
      if (countsRequests(metric)) continue;
      count.counter.advance(this.timeZone, now);
      if (count.counter.isBudget) count.counter.settle(count, used?.[metric], now);
      else this.correct(count, used?.[metric] ?? count.amount, { corrections, now });
    }
    // Budgets that were added in the meantime are charged as well.
    for (const { limit, counter } of this.limitsOf(key, now)) {
      if (!canWaitFor(limit) || limit.models?.includes(model) === false) continue;
      if (counts.some((count) => count.counter === counter) || at < counter.periodStart(this.timeZone, now)) continue;
      const metric = limit.metric as MeteredMetric;
      counter.charge(used?.[metric] ?? held[metric], used === undefined, now);
    }
  }

  /** Notes how a bucket must change. One whose limit has been removed is forgotten. */
  private correct(count: Count, used: number, { corrections, now }: { corrections: Corrections; now: number }): void {
    const { counter } = count;
    const max = this.maxOf(counter, now);
    if (max === undefined) return;
    corrections.set(counter, (corrections.get(counter) ?? 0) + counter.correctionOf(count, used, max, now));
  }

  private apply(corrections: Corrections, now: number): void {
    for (const [counter, amount] of corrections) counter.fill(amount, this.maxOf(counter, now) ?? 0, now);
  }

  private release(request: ModelRequest, reservation: ModelReservation, now: number): void {
    const { reservations } = request;
    reservations.splice(reservations.indexOf(reservation), 1);
    const corrections: Corrections = new Map();
    this.settle(request.key, reservation, { tokens: 0, pages: 0, cost: 0 }, { corrections, now });
    this.apply(corrections, now);
    // It counts once in a limit of several models, until it ends.
    for (const count of reservation.counts) {
      const { metric, models } = count.counter.limit;
      const isStillAsked = reservations.some(({ model }) => models?.includes(model));
      if (metric === 'requests' || (metric === 'concurrency' && isStillAsked)) request.counted.push(count);
      else if (metric === 'concurrency') count.counter.release(count);
    }
  }

  private decide(request: ModelRequest, demand: ModelDemand, isLastAttempt: boolean, now: number): Decision {
    request.known = namesOf(this.limitsOf(request.key, now));
    const limits = this.applicable(request, demand, now);
    const budgets = limits.filter(({ limit }) => canWaitFor(limit));
    const others = limits.filter(({ limit }) => !canWaitFor(limit));
    const fits = ({ limit: { metric }, left, free }: LimitNow) => {
      if (metric === 'concurrency') return free >= 1;
      if (metric === 'requests') return left >= 1 - tolerance;
      return demand.estimate === undefined ? amountOf(demand, metric) <= left + tolerance : left > tolerance;
    };
    const wantedOf = ({ limit, left }: LimitNow) => largestOutput(demand, limit.metric, left);
    const exceeded = [
      ...others.filter((state) => !fits(state)),
      ...budgets.filter((state) => wantedOf(state) < demand.leastOutput),
    ];
    if (exceeded.length > 0) return { outcome: 'exceeded', limits: namesOf(exceeded) };
    const wanted = Math.min(demand.output, ...budgets.map(wantedOf));
    const available = Math.min(
      demand.output,
      ...budgets.map(({ limit, free }) => largestOutput(demand, limit.metric, free)),
    );
    const hasOlder = budgets.some(({ limit }) => this.hasOlderWaiter(request.id, limit, now));
    const isLowered = isLastAttempt && available >= demand.leastOutput;
    if (hasOlder || (available < wanted && !isLowered)) return { outcome: 'waiting' };
    const output = Math.min(available, wanted);
    this.reserve(request, demand, { limits, output }, now);
    return { outcome: 'reserved', output };
  }

  private reserve(
    request: ModelRequest,
    demand: ModelDemand,
    { limits, output }: { limits: readonly LimitNow[]; output: number },
    now: number,
  ): void {
    const { model, estimate } = demand;
    const amounts = { tokens: amountOf(demand, 'tokens', output), pages: 0, cost: amountOf(demand, 'cost', output) };
    const counts = limits.map((state) => {
      const { limit, counter } = state;
      if (countsRequests(limit.metric)) return this.count(state, now);
      const amount = amounts[limit.metric];
      if (canWaitFor(limit)) return counter.hold(amount, now);
      return counter.fill(Math.min(estimate ?? amount, amount), state.max, now);
    });
    request.current = { model, held: amounts, at: now, counts };
    request.reservations.push(request.current);
    request.countedModels.push(model);
  }

  private count({ limit, counter, max }: LimitNow, now: number): Count {
    if (limit.metric === 'concurrency') return counter.hold(1, now);
    return counter.isBudget ? counter.charge(1, false, now) : counter.fill(1, max, now);
  }

  /** The limits that a demand is about. Requests without models were counted on arrival. */
  private applicable({ key, countedModels }: ModelRequest, { model }: ModelDemand, now: number): LimitNow[] {
    return this.limitsOf(key, now).filter(({ limit: { metric, models } }) => {
      if (models === undefined) return !countsRequests(metric);
      if (!models.includes(model)) return false;
      return !countsRequests(metric) || !countedModels.some((one) => models.includes(one));
    });
  }

  private hasOlderWaiter(id: number, limit: ModelLimit, now: number): boolean {
    const place = this.waiting.indexOf(id);
    const older = place === -1 ? this.waiting : this.waiting.slice(0, place);
    return older.some((other) => {
      const request = this.find(other);
      if (request.demand === undefined) return false;
      return this.applicable(request, request.demand, now).some((state) => state.limit === limit);
    });
  }

  private limitsOf(key: string, now: number): LimitNow[] {
    const limits = this.limits.filter(({ owner }) => owner === key || owner === 'organization');
    return limits.map((limit) => this.stateOf(limit, now));
  }

  private stateOf(limit: ModelLimit, now: number): LimitNow {
    const counter = this.counterOf(nameOf(limit));
    counter.advance(this.timeZone, now);
    const max = maxAt(limit, now);
    const charged = counter.chargedAt(max, now);
    const reserved = counter.reservedAt(now);
    // It was lowered, or an increase has ended.
    if (max < counter.lastMax && charged + reserved > max) counter.mayExceed = true;
    counter.lastMax = max;
    return { limit, counter, max, charged, reserved, left: max - charged, free: max - charged - reserved };
  }

  /** Undefined if the limit has been removed. */
  private maxOf(counter: Counter, now: number): number | undefined {
    const name = nameOf(counter.limit);
    const limit = this.limits.find((one) => nameOf(one) === name);
    return limit && maxAt(limit, now);
  }

  private counterOf(name: string): Counter {
    const counter = this.counters.get(name);
    if (counter === undefined) throw new Error(`There is no limit ${name}.`);
    return counter;
  }

  private forget(id: number): void {
    this.requests.delete(id);
    const place = this.waiting.indexOf(id);
    if (place !== -1) this.waiting.splice(place, 1);
  }

  private find(id: number): ModelRequest {
    const request = this.requests.get(id);
    if (request === undefined) throw new Error(`Request ${id} has ended, or was never admitted.`);
    return request;
  }
}

function countsOf({ counted, reservations }: ModelRequest): Count[] {
  return [...counted, ...reservations.flatMap(({ counts }) => counts)];
}

/** Whether requests wait for what others hold of a limit. */
export function canWaitFor(limit: ModelLimit): boolean {
  return isBudget(limit) && !countsRequests(limit.metric);
}

/** What a demand needs with less output of each choice. */
export function amountOf(demand: ModelDemand, metric: Metric, output = demand.output): number {
  const { most, choices, price } = demand;
  const fewer = (demand.output - output) * choices;
  if (metric === 'tokens') return most.tokens - fewer;
  return metric === 'cost' ? most.cost - Number((BigInt(fewer) * price) / priceScale) : 0;
}

/** Tries every output, so that it shares no formula with the service; -1 if none fits. */
function largestOutput(demand: ModelDemand, metric: Metric, room: number): number {
  for (let output = demand.output; output >= 0; output--) if (amountOf(demand, metric, output) <= room) return output;
  return -1;
}

function maxAt({ max, increase }: ModelLimit, now: number): number {
  return increase !== undefined && increase.until > now ? max + increase.by : max;
}

function countsRequests(metric: Metric): metric is 'requests' | 'concurrency' {
  return metric === 'requests' || metric === 'concurrency';
}

const namesOf = (states: readonly LimitNow[]) => states.map(({ limit }) => nameOf(limit));
