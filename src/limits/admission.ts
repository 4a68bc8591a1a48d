import { isBudget, type Metric, type Period } from '../common/rules/limit-rules.js';
import { type MeterAmounts, meters } from '../common/rules/meters.js';
import type { LimitState } from './limit.js';

/** Metrics that requests reserve, once their body and model are known. */
export type MeteredMetric = Exclude<Metric, 'requests'>;

/** What a request needs when it arrives. */
export interface AdmissionDemand {
  /** What the request will use, apart from itself. Something of it must be left. */
  readonly uses: MeteredMetric | undefined;
  /** Canonical IP address of the client; null if it has none. */
  readonly address: string | null;
  /** Whether the request needs the name of its key. */
  readonly needsName?: boolean;
  /** Whether the request counts against no limit, so that nothing is decided about it. */
  readonly isFree?: boolean;
}

/** Amounts of tokens and pages. */
export type Amounts = Readonly<Record<MeteredMetric, number>>;

export const noAmounts: Amounts = { tokens: 0, pages: 0 };

/** Amounts of meters, as limits count them. */
export function amountsOf(used: MeterAmounts): Amounts {
  const amounts = { tokens: 0, pages: 0 };
  for (const { name, limit } of meters) if (limit !== undefined) amounts[limit] += used[name] ?? 0;
  return amounts;
}

/** What a request holds until it is settled. */
export interface Reservation {
  /** Database time, in milliseconds since 1970. What it holds belongs to the budgets' periods at this time. */
  readonly reservedAt: number;
  /** The 150 seconds in which budgets count it, and those after them, unless it's renewed. */
  generation: number;
  /** What budgets hold: the most that the request can use. */
  readonly held: Amounts;
  /** What the other limits have charged: the same, or an estimate. */
  readonly charged: Amounts;
}

/** The decision about a request of a key with limits, or of an organization with limits. */
export class Admission {
  /** What the request holds; undefined until its body and model are known. */
  reservation: Reservation | undefined;
  /** Whether the request has ended, so that it must not reserve anything any more. */
  hasEnded = false;
  /** Called when the request ends. */
  onEnd: (() => void) | undefined;

  /**
   * @param countedAt database time, in milliseconds since 1970
   * @param isAdmitted whether the request fits all limits, and was counted
   * @param states all limits of the key and the organization, after the latest decision about the request
   */
  constructor(
    readonly keyId: string,
    readonly organizationId: string,
    readonly countedAt: number,
    readonly isAdmitted: boolean,
    public states: readonly LimitState[],
  ) {}

  end(): void {
    this.hasEnded = true;
    this.onEnd?.();
  }

  /** Whether a metric is limited. */
  limits(metric: Metric): boolean {
    return this.states.some((state) => state.metric === metric);
  }

  /** The limits once the request has used amounts instead of what it holds. */
  statesAfter(used: Amounts): LimitState[] {
    const { held, charged } = this.reservation ?? { held: noAmounts, charged: noAmounts };
    return this.states.map((state) => {
      const { metric } = state;
      if (metric === 'requests') return state;
      if (isBudget(state)) {
        return { ...state, charged: state.charged + used[metric], reserved: state.reserved - held[metric] };
      }
      return { ...state, charged: state.charged - charged[metric] + used[metric] };
    });
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What requests of a route use in addition to the request count. */
    uses?: MeteredMetric;
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
  per: Period,
  max: number,
  charged: number,
  reserved: number,
];

/** The result of a decision about a batch of requests that arrive. */
export interface Decisions {
  /** Milliseconds since 1970. */
  readonly at: number;
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
].join('; ');

/** The limits in decisions about a batch, by owner. */
export class StatesByOwner {
  private readonly states = new Map<string, LimitState[]>();

  constructor(rows: readonly LimitRow[]) {
    for (const [ownerId, metric, per, max, charged, reserved] of rows) {
      const states = this.states.get(ownerId) ?? [];
      states.push({ ownerId, metric, per, max, charged, reserved });
      this.states.set(ownerId, states);
    }
  }

  /** All limits of a key and its organization. */
  of(keyId: string, organizationId: string): LimitState[] {
    return [...(this.states.get(keyId) ?? []), ...(this.states.get(organizationId) ?? [])];
  }
}
