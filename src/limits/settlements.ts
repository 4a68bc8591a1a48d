import { isBudget } from '../common/rules/limit-rules.js';
import { type Admission, type Counted, countsRequests, type CountedLimit, type Reservation } from './admission.js';
import type { Amounts } from './amounts.js';

/** A request that has ended; see the function `settle_amounts`. */
export interface SettledRequest extends Pick<Admission, 'keyId' | 'organizationId'> {
  /** Whether the request doesn't count. */
  readonly isRefunded: boolean;
  /** What it was counted in, apart from what it has reserved. */
  readonly counted: readonly Counted[];
  readonly reservations: readonly SettledReservation[];
}

interface SettledReservation {
  readonly reservation: Reservation;
  /** Null if it isn't known: as much as was reserved is charged. */
  readonly used: Amounts | null;
}

/** What requests change in a counter. Sums of costs may exceed 2^53. */
interface Change {
  readonly ownerId: string;
  readonly counterMetric: string;
  readonly metric: string;
  readonly per: string;
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

/** The parameter of the function `settle_amounts`: sums, so that requests under the same limits cost it little. */
export function toSettlements(requests: readonly SettledRequest[]): string {
  const sums = new SettlementSums();
  for (const request of requests) {
    for (const counted of request.counted) sums.addCounted(counted, request.isRefunded);
    for (const settled of request.reservations) sums.addReservation(request, settled);
  }
  const parameter = { changes: [...sums.changes.values()], uses: [...sums.uses.values()] };
  return JSON.stringify(parameter, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

class SettlementSums {
  readonly changes = new Map<string, Change>();
  readonly uses = new Map<string, Use>();

  /** Requests only change what they were counted in if they're given back. */
  addCounted({ at, counts }: Counted, isRefunded: boolean): void {
    for (const { limit, held, generation } of counts) {
      if (!countsRequests(limit.metric) || (limit.metric === 'requests' && !isRefunded)) continue;
      const charged = limit.metric === 'concurrency' || isBudget(limit) ? 0 : 1;
      const change = this.changeOf(limit, { since: at, generation, charged });
      change.held += toWhole(held);
      if (limit.metric === 'requests' && charged === 0) change.used -= 1n;
    }
  }

  addReservation(
    { keyId, organizationId, isRefunded }: SettledRequest,
    { reservation, used }: SettledReservation,
  ): void {
    const { at, model, held } = reservation;
    const amounts = used ?? held;
    this.addCounted(reservation, isRefunded);
    for (const count of reservation.counts) {
      const { limit, generation } = count;
      const { metric } = limit;
      if (countsRequests(metric)) continue;
      const charged = isBudget(limit) || metric === 'cost' ? 0 : reservation.charged[metric];
      const change = this.changeOf(limit, { since: at, generation, charged });
      change.held += toWhole(count.held);
      const charge = toWhole(used === null && charged > 0 ? charged : amounts[metric]);
      change.used += charge;
      if (used === null) change.estimated += charge;
    }
    const known = reservation.counts.map(({ limit: { ownerId, counterMetric, per = '' } }) => {
      return `${ownerId} ${counterMetric} ${per}`;
    });
    const name = [keyId, model, Math.floor(at / quarterMilliseconds), used === null, ...known].join(' ');
    const use = this.uses.get(name) ?? {
      ...{ keyId, organizationId, model, since: at, known, isEstimated: used === null },
      ...{ tokens: 0n, pages: 0n, cost: 0n },
    };
    this.uses.set(name, use);
    for (const metric of ['tokens', 'pages', 'cost'] as const) use[metric] += toWhole(amounts[metric]);
  }

  /** What leaks away depends on each request, so only others are summed up. */
  private changeOf(
    { ownerId, counterMetric, metric, per }: CountedLimit,
    { since, generation, charged }: Pick<Change, 'since' | 'generation' | 'charged'>,
  ): Change {
    const time = charged > 0 ? this.changes.size : Math.floor(since / quarterMilliseconds);
    const period = per ?? '';
    const name = [ownerId, counterMetric, period, generation, charged, time].join(' ');
    const change = this.changes.get(name) ?? {
      ...{ ownerId, counterMetric, metric, per: period, since, generation, charged },
      ...{ held: 0n, used: 0n, estimated: 0n },
    };
    this.changes.set(name, change);
    return change;
  }
}

/** An error of one request would reject the others of its batch. */
function toWhole(amount: number): bigint {
  return Number.isFinite(amount) ? BigInt(Math.round(amount)) : 0n;
}
