import type { MeteredMetric } from '../../../src/limits/admission.js';
import { isBudget, type Metric, type Period } from '../../../src/common/rules/limit-rules.js';

const periodMilliseconds = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Like `tolerance` in the functions. */
const tolerance = 1e-6;

export interface ModelLimitOptions {
  /** `organization`, or the name of a key. */
  readonly owner: string;
  readonly metric: Metric;
  readonly per: Exclude<Period, 'month'>;
  readonly max: number;
}

/** A limit in virtual time: a budget has charges and reservations, the others are buckets that leak. */
class ModelLimit {
  charged = 0;
  reserved = 0;
  day = 0;
  private levelAt = 0;

  constructor(readonly options: ModelLimitOptions) {}

  get isBudget(): boolean {
    return isBudget(this.options);
  }

  get left(): number {
    return this.options.max - this.charged;
  }

  get free(): number {
    return this.left - this.reserved;
  }

  advance(now: number): void {
    const day = Math.floor(now / periodMilliseconds.day);
    if (!this.isBudget) this.charged = Math.max(0, this.charged - this.leaked(now - this.levelAt));
    else if (day !== this.day) this.charged = this.reserved = 0;
    this.levelAt = now;
    this.day = day;
  }

  leaked(milliseconds: number): number {
    return (milliseconds * this.options.max) / periodMilliseconds[this.options.per];
  }

  /** Gives back what hasn't leaked away since it was charged. */
  refund(amount: number, refunded: number, milliseconds: number): void {
    const kept = Math.max(0, Math.min(refunded, amount - this.leaked(milliseconds)));
    this.charged = Math.max(0, this.charged - kept);
  }
}

interface Held {
  readonly limit: ModelLimit;
  readonly amount: number;
  readonly at: number;
  readonly day: number;
}

interface ModelRequest {
  readonly key: string;
  readonly counted: Held[];
  readonly held: Held[];
  demand: ModelDemand | undefined;
}

/** The most that a request can use of a metric; with an estimate, limits that refill charge that instead. */
export interface ModelDemand {
  readonly metric: MeteredMetric;
  readonly most: number;
  readonly estimate: number | undefined;
}

export type ModelOutcome = 'reserved' | 'waiting' | 'rejected';

/**
 * What limits mean, in memory: requests are counted on arrival, reserve the most they can use once that is known, wait
 * in order of arrival for reservations of others, and are settled when they end.
 */
export class AdmissionModel {
  readonly limits: ModelLimit[];
  private readonly requests = new Map<number, ModelRequest>();
  private readonly waiting: number[] = [];

  constructor(options: readonly ModelLimitOptions[]) {
    this.limits = options.map((option) => new ModelLimit(option));
  }

  get waitingIds(): readonly number[] {
    return this.waiting;
  }

  /** Whether a request with a key is admitted. Something of the metric it will use must be left. */
  arrive(id: number, key: string, uses: MeteredMetric | undefined, now: number): boolean {
    const limits = this.limitsOf(key, now);
    const fits = limits.every(({ options: { metric }, left }) => {
      return (metric !== 'requests' && metric !== uses) || left >= 1 - tolerance;
    });
    if (!fits) return false;
    const counted = limits.filter(({ options }) => options.metric === 'requests');
    for (const limit of counted) limit.charged += 1;
    this.requests.set(id, {
      key,
      counted: counted.map((limit) => ({ limit, amount: 1, at: now, day: limit.day })),
      held: [],
      demand: undefined,
    });
    return true;
  }

  demand(id: number, demand: ModelDemand, now: number): ModelOutcome {
    this.find(id).demand = demand;
    const outcome = this.tryToReserve(id, now);
    if (outcome === 'waiting') this.waiting.push(id);
    return outcome;
  }

  /** Decides about waiting requests again, in their order. Returns those that don't wait any more. */
  retry(now: number): Map<number, ModelOutcome> {
    const decided = new Map<number, ModelOutcome>();
    for (const id of [...this.waiting]) {
      const outcome = this.tryToReserve(id, now);
      if (outcome === 'waiting') continue;
      this.waiting.splice(this.waiting.indexOf(id), 1);
      decided.set(id, outcome);
    }
    return decided;
  }

  /** @param used undefined if it isn't known: as much as was reserved is charged */
  end(id: number, used: number | undefined, isRefunded: boolean, now: number): void {
    const { key, counted, held } = this.find(id);
    this.limitsOf(key, now);
    for (const { limit, amount, at, day } of held) {
      const actual = used ?? amount;
      if (limit.isBudget) {
        if (limit.day !== day) continue;
        limit.reserved -= amount;
        limit.charged += actual;
      } else if (actual >= amount) limit.charged += actual - amount;
      else limit.refund(amount, amount - actual, now - at);
    }
    for (const { limit, at, day } of isRefunded ? counted : []) {
      if (!limit.isBudget) limit.refund(1, 1, now - at);
      else if (limit.day === day) limit.charged -= 1;
    }
    this.requests.delete(id);
    const place = this.waiting.indexOf(id);
    if (place !== -1) this.waiting.splice(place, 1);
  }

  private tryToReserve(id: number, now: number): ModelOutcome {
    const { key, held, demand } = this.find(id);
    if (demand === undefined) throw new Error('The request has no demand.');
    const { metric, most, estimate } = demand;
    const limits = this.limitsOf(key, now).filter(({ options }) => options.metric === metric && most > 0);
    const fits = limits.every((limit) => {
      if (limit.isBudget) return most <= limit.left + tolerance;
      return estimate === undefined ? most <= limit.left + tolerance : limit.left > tolerance;
    });
    if (!fits) return 'rejected';
    const budgets = limits.filter(({ isBudget }) => isBudget);
    if (budgets.some((limit) => most > limit.free + tolerance || this.hasOlderWaiter(id, limit))) return 'waiting';
    for (const limit of limits) {
      const amount = limit.isBudget ? most : (estimate ?? most);
      if (limit.isBudget) limit.reserved += amount;
      else limit.charged += amount;
      held.push({ limit, amount, at: now, day: limit.day });
    }
    return 'reserved';
  }

  private hasOlderWaiter(id: number, limit: ModelLimit): boolean {
    const place = this.waiting.indexOf(id);
    const older = place === -1 ? this.waiting : this.waiting.slice(0, place);
    return older.some((other) => {
      const { key, demand } = this.find(other);
      return demand?.metric === limit.options.metric && isOwner(limit, key);
    });
  }

  private limitsOf(key: string, now: number): ModelLimit[] {
    const limits = this.limits.filter((limit) => isOwner(limit, key));
    for (const limit of limits) limit.advance(now);
    return limits;
  }

  private find(id: number): ModelRequest {
    const request = this.requests.get(id);
    if (request === undefined) throw new Error(`Request ${id} has ended, or was never admitted.`);
    return request;
  }
}

function isOwner({ options: { owner } }: ModelLimit, key: string): boolean {
  return owner === key || owner === 'organization';
}
