import type { Metric, Period } from '../common/rules/limit-rules.js';
import type { LimitState } from './limit.js';

/** What a request asks for on admission. */
export interface AdmissionAsk {
  /** Estimates to reserve, or as much of them as is left. */
  readonly tokens: number;
  readonly pages: number;
  /** Canonical IP address of the client; null if it has none. */
  readonly address: string | null;
  /** Whether the request needs the name of its key. */
  readonly needsName?: boolean;
}

/** Counts that a request holds until it is settled. It expires five minutes after it was made, unless it's renewed. */
export interface Reservation {
  readonly generation: number;
  readonly tokens: number;
  readonly pages: number;
}

/** The decision about a request of a key with limits, or of an organization with limits. */
export interface Admission {
  readonly keyId: string;
  readonly organizationId: string;
  /** All limits of the key and the organization, after the decision. */
  readonly states: readonly LimitState[];
  readonly ask: AdmissionAsk;
  /** What `states` include of the request; undefined if it was rejected. */
  readonly granted: Reservation | undefined;
  /** What the request reserves now; undefined if it was rejected. */
  reservation: Reservation | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What requests of a route use in addition to the request count. */
    reserves?: 'tokens' | 'pages';
    /** Whether a route needs the names of API keys. */
    needsKeyName?: boolean;
  }

  interface FastifyRequest {
    /** Undefined without limits. */
    admission: Admission | undefined;
  }
}

/** The result of a decision about a batch of requests. */
export interface Decisions {
  /** That of the reservations. */
  readonly generation: number;
  /** Absent if all requests were admitted, with all they asked for. */
  readonly admitted?: readonly (readonly [position: number, tokens: number, pages: number])[];
  readonly limits: readonly (readonly [ownerId: string, metric: Metric, per: Period, max: number, used: number])[];
}

/**
 * Settings of connections that admit requests. Decisions don't wait for the disk: a crash of the database server loses
 * up to half a second of them, one of Keycard nothing. Plans are made once, so they must not become scans, and joins are
 * nested loops, which lock counters in the order of their primary key.
 */
export const admissionSettings = [
  'set synchronous_commit = off',
  'set enable_seqscan = off',
  'set enable_hashjoin = off',
  'set enable_mergejoin = off',
  'set jit = off',
].join('; ');

/** Finds the decisions about single requests among those about a batch. */
export class DecisionReader {
  /** By position; undefined if all requests were admitted. */
  private readonly reservations: ReadonlyMap<number, Reservation> | undefined;
  private readonly generation: number;
  private readonly statesOfOwners = new Map<string, LimitState[]>();

  /** @param decisions undefined if no request has limits */
  constructor(decisions: Decisions | null | undefined) {
    const { generation = 0, admitted, limits = [] } = decisions ?? {};
    this.generation = generation;
    this.reservations =
      admitted && new Map(admitted.map(([position, tokens, pages]) => [position, { generation, tokens, pages }]));
    for (const [ownerId, metric, per, max, used] of limits) {
      const states = this.statesOfOwners.get(ownerId) ?? [];
      states.push({ ownerId, metric, per, max, used });
      this.statesOfOwners.set(ownerId, states);
    }
  }

  /** What the request at a position reserved; undefined if it was rejected. */
  reservationOf(position: number, { tokens, pages }: Pick<Reservation, 'tokens' | 'pages'>): Reservation | undefined {
    if (this.reservations === undefined) return { generation: this.generation, tokens, pages };
    return this.reservations.get(position);
  }

  /** All limits of a key and its organization. */
  statesOf(keyId: string, organizationId: string): LimitState[] {
    return [...(this.statesOfOwners.get(keyId) ?? []), ...(this.statesOfOwners.get(organizationId) ?? [])];
  }
}

/** Whether a metric is limited. */
export function limits({ states }: Admission, metric: Metric): boolean {
  return states.some((state) => state.metric === metric);
}

/** Whether what the request uses must be settled when it ends. */
export function countsUsage(admission: Admission): boolean {
  return limits(admission, 'tokens') || limits(admission, 'pages');
}

/** The limits once the request has used an amount instead of what it was granted. */
export function statesAfter(
  { states, granted }: Pick<Admission, 'states' | 'granted'>,
  used: Readonly<Record<'tokens' | 'pages', number>>,
) {
  return states.map((state) => {
    if (state.metric === 'requests' || granted === undefined) return state;
    return { ...state, used: state.used - granted[state.metric] + used[state.metric] };
  });
}
