import { isBudget } from '../common/rules/limit-rules.js';
import { type Admission, type Counted, countsRequests, type CountedLimit, type Reservation } from './admission.js';
import type { Amounts } from './amounts.js';
import { toBudgetSettlement } from './settle-budgets.js';

/** A request that has ended. */
export interface SettledRequest extends Pick<Admission, 'keyId' | 'organizationId'> {
  /** All limits of its key and its organization, when it was last counted. */
  readonly limits: readonly CountedLimit[];
  /** Whether the request doesn't count. */
  readonly isRefunded: boolean;
  /** What it was counted in, apart from what it has reserved. */
  readonly counted: readonly Counted[];
  readonly reservations: readonly SettledReservation[];
  /** What it doesn't release, because the next requests take it over. */
  readonly kept?: readonly Counted[];
}

interface SettledReservation {
  readonly reservation: Reservation;
  /** Null if it isn't known: as much as was reserved is charged. */
  readonly used: Amounts | null;
}

/** What requests change in a counter. Sums of costs may exceed 2^53. */
export interface Change {
  readonly limit: CountedLimit;
  readonly since: number;
  readonly generation: number;
  held: bigint;
  used: bigint;
  /** The part of `used` that nothing reported. */
  estimated: bigint;
  /** By limits that refill; 0 for others. */
  readonly charged: number;
}

/** What requests to a model have used that were counted in the same limits. */
interface Use {
  readonly keyId: string;
  readonly organizationId: string;
  readonly model: string;
  readonly since: number;
  /** Owner, metric of the counter, and period of each. */
  readonly known: readonly string[];
  tokens: bigint;
  pages: bigint;
  cost: bigint;
  isEstimated: boolean;
}

/** Periods start on a quarter of an hour in every time zone. */
const quarterMilliseconds = 900_000;

/** Sums up what requests change, so that those under the same limits cost the database little. */
export class Settlement {
  private readonly changes = new Map<string, Change>();

  /** @param released what earlier requests have held until now */
  constructor(
    private readonly requests: readonly SettledRequest[],
    released: readonly Counted[] = [],
  ) {
    for (const counted of released) this.addReleased(counted);
    for (const request of requests) {
      for (const counted of request.counted) this.addCounted(counted, request.isRefunded);
      for (const settled of request.reservations) this.addReservation(request, settled);
    }
  }

  /** Values for settled-budgets.sql; undefined if it can't settle the requests. */
  get ofBudgets(): Record<string, unknown> | undefined {
    return toBudgetSettlement(this.requests, [...this.changes.values()]);
  }

  /** The parameter of the function `settle_amounts`. */
  toJson(): string {
    const changes = [...this.changes.values()].map(({ limit, ...change }) => {
      const { ownerId, counterMetric, metric, per = '' } = limit;
      return { ownerId, counterMetric, metric, per, ...change };
    });
    const parameter = { changes, uses: usesOf(this.requests) };
    return JSON.stringify(parameter, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  }

  /** Requests only change what they were counted in if they're given back. */
  private addCounted({ at, counts }: Counted, isRefunded: boolean): void {
    for (const { limit, held, generation } of counts) {
      if (!countsRequests(limit.metric) || (limit.metric === 'requests' && !isRefunded)) continue;
      const charged = limit.metric === 'concurrency' || isBudget(limit) ? 0 : 1;
      const change = this.changeOf(limit, { since: at, generation, charged });
      change.held += toWhole(held);
      if (limit.metric === 'requests' && charged === 0) change.used -= 1n;
    }
  }

  private addReleased({ at, counts }: Counted): void {
    for (const { limit, held, generation } of counts) {
      this.changeOf(limit, { since: at, generation, charged: 0 }).held += toWhole(held);
    }
  }

  private addReservation({ isRefunded, kept = [] }: SettledRequest, { reservation, used }: SettledReservation): void {
    const { at, held } = reservation;
    const amounts = used ?? held;
    this.addCounted(reservation, isRefunded);
    for (const count of reservation.counts) {
      const { limit, generation } = count;
      const { metric } = limit;
      if (countsRequests(metric)) continue;
      const charged = isBudget(limit) || metric === 'cost' ? 0 : reservation.charged[metric];
      const change = this.changeOf(limit, { since: at, generation, charged });
      if (!kept.some(({ counts }) => counts.includes(count))) change.held += toWhole(count.held);
      const charge = toWhole(used === null && charged > 0 ? charged : amounts[metric]);
      change.used += charge;
      if (used === null) change.estimated += charge;
    }
  }

  /** What leaks away depends on each request, so only others are summed up. */
  private changeOf(
    limit: CountedLimit,
    { since, generation, charged }: Pick<Change, 'since' | 'generation' | 'charged'>,
  ): Change {
    const time = charged > 0 ? this.changes.size : Math.floor(since / quarterMilliseconds);
    const name = `${limit.counter} ${generation} ${charged} ${time}`;
    const known = this.changes.get(name);
    if (known !== undefined) return known;
    const change = { limit, since, generation, charged, held: 0n, used: 0n, estimated: 0n };
    this.changes.set(name, change);
    return change;
  }
}

/** Sums up what requests to each model have used. */
function usesOf(requests: readonly SettledRequest[]): Use[] {
  const uses = new Map<string, Use>();
  for (const { keyId, organizationId, reservations } of requests) {
    for (const { reservation, used } of reservations) {
      const { at, model, held, counts } = reservation;
      const known = counts.map(({ limit }) => limit.counter);
      const name = [keyId, model, Math.floor(at / quarterMilliseconds), used === null, ...known].join(' ');
      const use = uses.get(name) ?? {
        ...{ keyId, organizationId, model, since: at, known, isEstimated: used === null },
        ...{ tokens: 0n, pages: 0n, cost: 0n },
      };
      uses.set(name, use);
      for (const metric of ['tokens', 'pages', 'cost'] as const) use[metric] += toWhole((used ?? held)[metric]);
    }
  }
  return [...uses.values()];
}

/** An error of one request would reject the others of its batch. */
function toWhole(amount: number): bigint {
  return Number.isFinite(amount) ? BigInt(Math.round(amount)) : 0n;
}
