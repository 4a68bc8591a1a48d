import { type BudgetPeriod, isBudget, type Metric, type Period } from '../common/rules/limit-rules.js';
import { type Amounts, type Demand, type MeteredMetric, noAmounts } from './amounts.js';
import { appliesTo, type LimitState } from './limit.js';

/** What a request needs when it arrives. */
export interface AdmissionDemand {
  /** What the request will use, apart from itself. Something of it must be left. */
  readonly uses: 'tokens' | 'pages' | undefined;
  /** Canonical IP address of the client; null if it has none. */
  readonly address: string | null;
  /** Whether the request needs the name of its key. */
  readonly needsName?: boolean;
  /** Whether the request counts against no limit, so that nothing is decided about it. */
  readonly isFree?: boolean;
}

/** A limit with its state, and the counter that has it. */
export interface CountedLimit extends LimitState {
  /** In the table of counters: the metric, followed by the models. */
  readonly counterMetric: string;
  /** Owner, `counterMetric` and period, which identify the counter. The function `settle_amounts` compares with such names. */
  readonly counter: string;
  /** The lowest percentage of `max` at which an event is written. */
  readonly firstNotice?: number;
}

/** What a request counts in one limit. */
export interface Count {
  readonly limit: CountedLimit;
  /** What the limit holds until the request is settled; 0 if the limit is charged immediately. */
  readonly held: number;
  /** The 15 seconds in which the hold counts, and those after them, unless it's renewed. See the function `hold_generation`. */
  generation: number;
}

/** What a request has counted in limits at one time. */
export interface Counted {
  /** Database time, in milliseconds since 1970. What it has counted belongs to the budgets' periods at this time. */
  readonly at: number;
  readonly counts: readonly Count[];
}

/** What a request holds until it is settled. */
export interface Reservation extends Counted {
  /** Id of the model that was to serve the request. */
  readonly model: string;
  /** What budgets hold: the most that the request can use. */
  readonly held: Amounts;
  /** What limits that refill have charged: the same, or an estimate. */
  readonly charged: Readonly<Record<'tokens' | 'pages', number>>;
  /** Of each choice; undefined if output wasn't lowered. */
  readonly outputLimit: number | undefined;
  /** Set once the model isn't asked any more, and another one is. */
  used?: Amounts;
}

/** What was used of what a request has reserved; undefined if that's unknown. */
export type UsedOf = (reservation: Reservation) => Amounts | undefined;

/** The decision about a request of a key with limits, or of an organization with limits. */
export class Admission {
  /** One for each model that was to serve the request. Empty until its body and model are known. */
  readonly reservations: Reservation[] = [];
  /** The models whose limits on requests have counted it. */
  readonly countedModels: string[] = [];
  /** What was counted on arrival. */
  readonly arrival: Counted;
  /** All limits of the key and the organization, after the decision about its arrival. */
  readonly arrivalStates: readonly CountedLimit[];
  /** What was counted for models that aren't asked any more, in limits that still count the request. */
  readonly earlier: Counted[] = [];
  /** Whether the request has ended, so that it must not reserve anything any more. */
  hasEnded = false;
  /** Called when the request ends. */
  onEnd: (() => void) | undefined;
  /** Called when it's known what the request has used. */
  onUse: ((usedOf: UsedOf) => void) | undefined;

  /**
   * @param at database time, in milliseconds since 1970
   * @param isAdmitted whether the request fits all limits, and was counted
   * @param states all limits of the key and the organization, after the latest decision about the request
   */
  constructor(
    readonly keyId: string,
    readonly organizationId: string,
    at: number,
    generation: number,
    readonly isAdmitted: boolean,
    public states: readonly CountedLimit[],
  ) {
    this.arrivalStates = states;
    const limits = states.filter(({ metric, models }) => models === undefined && countsRequests(metric));
    this.arrival = { at, counts: limits.map((limit) => ({ limit, held: holdOf(limit), generation })) };
  }

  end(): void {
    this.hasEnded = true;
    this.onEnd?.();
  }

  /** Whether what requests to a model use is limited in a metric. */
  limits(metric: Metric, model: string): boolean {
    return this.states.some((state) => state.metric === metric && appliesTo(state, model));
  }

  /** Whether the request is counted in a limit that it must leave when it ends. */
  get isRunning(): boolean {
    if (!this.isAdmitted) return false;
    return this.reservations.length > 0 || this.requestCounts.some(({ counts }) => counts.some(({ held }) => held > 0));
  }

  /** What the request was counted in, apart from what it reserves. */
  get requestCounts(): readonly Counted[] {
    return [this.arrival, ...this.earlier];
  }

  /** What the request was counted in so far. */
  get counted(): readonly (Counted | Reservation)[] {
    return [...this.requestCounts, ...this.reservations];
  }

  /** The limits that what a model may use is counted in. */
  limitsOf(demand: Demand): CountedLimit[] {
    return this.states.filter((state) => {
      const { metric, models } = state;
      if (!appliesTo(state, demand.model)) return false;
      if (!countsRequests(metric)) return demand[metric] > 0;
      // Without models, they were counted on arrival.
      return models !== undefined && !this.countedModels.some((model) => models.includes(model));
    });
  }

  /** The limits once the request has used amounts instead of what it holds. */
  statesAfter(usedOf: UsedOf): readonly CountedLimit[] {
    let { states } = this;
    for (const reservation of this.reservations) {
      const used = usedOf(reservation) ?? reservation.held;
      states = states.map((state) => (isCountedIn(reservation, state) ? afterUse(state, reservation, used) : state));
    }
    return states;
  }
}

/** Whether something was counted in a limit. */
export function isCountedIn({ counts }: Counted, { counter }: CountedLimit): boolean {
  return counts.some(({ limit }) => limit.counter === counter);
}

function afterUse(state: CountedLimit, { held, charged }: Reservation, used: Amounts): CountedLimit {
  const { metric } = state;
  if (countsRequests(metric)) return state;
  if (isBudget(state) || metric === 'cost') {
    // What remembered limits show may be from before the reservation.
    const reserved = Math.max(0, state.reserved - held[metric]);
    return { ...state, charged: state.charged + used[metric], reserved };
  }
  return { ...state, charged: state.charged - charged[metric] + used[metric] };
}

/** Whether a limit holds what requests can use, until they are settled. */
export function isMeteredBudget<Limit extends CountedLimit>(
  limit: Limit,
): limit is Limit & { metric: MeteredMetric; per: BudgetPeriod } {
  return !countsRequests(limit.metric) && isBudget(limit);
}

/** Whether a limit counts requests, and not what they use. */
export function countsRequests(metric: Metric): metric is 'requests' | 'concurrency' {
  return metric === 'requests' || metric === 'concurrency';
}

/**
 * What a request holds of a limit until it ends; 0 if the limit is charged immediately.
 *
 * @param amounts what it reserves
 */
export function holdOf(limit: CountedLimit, amounts: Amounts = noAmounts): number {
  const { metric } = limit;
  if (metric === 'concurrency') return 1;
  return metric === 'requests' || !isBudget(limit) ? 0 : amounts[metric];
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What requests of a route use in addition to the request count. */
    uses?: 'tokens' | 'pages';
    /** Whether a route needs the names of API keys. */
    needsKeyName?: boolean;
  }

  interface FastifyRequest {
    /** Undefined without limits. */
    admission: Admission | undefined;
  }
}

/** Limits with their state, as the database returns them. */
export type LimitRow = readonly [
  ownerId: string,
  metric: Metric,
  per: Period | '',
  max: number,
  charged: number,
  reserved: number,
  /** When a budget's period ends, in milliseconds since 1970. */
  resetsAt: number | null,
  models: readonly string[] | null,
  counterMetric: string,
  firstNotice: number | null,
];

/** The result of a decision about a batch of requests that arrive. */
export interface Decisions {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly generation: number;
  /** Positions; null if all requests were admitted. */
  readonly admitted: readonly number[] | null;
  readonly limits: readonly LimitRow[];
}

/**
 * Settings of connections that admit requests. Plans are made once, so they must not become scans, and joins are
 * nested loops, which lock counters in the order of their primary key.
 */
export const admissionSettings = [
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set jit = off',
  // The functions are planned anew for each call otherwise, which takes longer than running them.
  'set plan_cache_mode = force_generic_plan',
].join('; ');

/** The limits in decisions about a batch, by owner. */
export class StatesByOwner {
  private readonly states = new Map<string, CountedLimit[]>();

  constructor(rows: readonly LimitRow[]) {
    for (const row of rows) {
      const [ownerId, metric, per, max, charged, reserved, resetsAt, models, counterMetric, firstNotice] = row;
      const states = this.states.get(ownerId) ?? [];
      states.push({
        ownerId,
        metric,
        ...(per !== '' && { per }),
        max,
        charged,
        reserved,
        ...(resetsAt !== null && { resetsAt }),
        ...(models !== null && { models }),
        counterMetric,
        counter: `${ownerId} ${counterMetric} ${per}`,
        ...(firstNotice !== null && { firstNotice }),
      });
      this.states.set(ownerId, states);
    }
  }

  /** All limits of a key and its organization. */
  of(keyId: string, organizationId: string): CountedLimit[] {
    return [...(this.states.get(keyId) ?? []), ...(this.states.get(organizationId) ?? [])];
  }
}
