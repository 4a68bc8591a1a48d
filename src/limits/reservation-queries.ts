import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { loadStatement } from '../database/sql-file.js';
import type { LimitRow, MeteredMetric, Reservation } from './admission.js';

/** The most tokens and pages that a request can use. */
export interface Demand extends Readonly<Record<MeteredMetric, number>> {
  /** What limits that refill charge instead; undefined if the amounts are exact. */
  readonly estimate?: Readonly<Record<MeteredMetric, number>>;
}

/** A request that needs a reservation. */
interface ReservationDemand {
  readonly keyId: string;
  readonly organizationId: string;
  readonly demand: Demand;
  /** Returned by an earlier attempt, in microseconds since 1970. */
  readonly waitingSince: number | null;
  /** Whether it won't wait any longer. */
  readonly isLastAttempt: boolean;
}

/** Decisions about requests that ask for reservations; see the function `reserve_usage`. */
export interface UsageDecisions extends Pick<Reservation, 'generation'> {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Positions of those that hold one now. */
  readonly reserved: readonly number[];
  /** Positions of those that have to wait, and since when. */
  readonly waiting: readonly (readonly [position: number, since: number])[];
  readonly limits: readonly LimitRow[];
}

export const reserve = loadStatement('limits/reserve-usage.sql', { parameters: ['demands'] });

/** Decides about requests in their order. */
export async function reserveUsage(
  connection: DedicatedConnection,
  demands: readonly ReservationDemand[],
): Promise<UsageDecisions> {
  const rows = demands.map(({ demand: { tokens, pages, estimate }, ...rest }, position) => {
    const estimates = { estimatedTokens: estimate?.tokens, estimatedPages: estimate?.pages };
    return { position, ...rest, tokens, pages, ...estimates };
  });
  const values = reserve.bind({ demands: JSON.stringify(rows) });
  return queryJson<UsageDecisions>(connection, { name: 'reserve-usage', text: reserve.text, values });
}

/** Reservations of a key in one generation and budget period. */
export interface RenewedSum {
  readonly keyId: string;
  readonly organizationId: string;
  readonly reservedAt: number;
  readonly generation: number;
  tokens: number;
  pages: number;
}

/** Moves reservations to the current generation, and returns that. */
export async function renewReservations(connection: DedicatedConnection, sums: readonly RenewedSum[]): Promise<number> {
  const text = 'select renew_reservations($1::json)';
  return Number(await queryJson(connection, { name: 'renew-reservations', text, values: [JSON.stringify(sums)] }));
}

/** A request that has ended; see the function `settle_requests`. */
export interface SettledRequest {
  readonly keyId: string;
  readonly organizationId: string;
  /** Database time, in milliseconds since 1970. */
  readonly countedAt: number;
  /** Whether the request doesn't count. */
  readonly isRefunded: boolean;
  readonly reservation: Reservation | undefined;
  /** Null if it isn't known: as much as was reserved is charged. */
  readonly used: Readonly<Record<MeteredMetric, number>> | null;
}

/** The parameter of the function `settle_requests`. */
export function toSettlements(requests: readonly SettledRequest[]): string {
  return JSON.stringify(
    requests.map(({ keyId, organizationId, countedAt, isRefunded, reservation, used }) => ({
      keyId,
      organizationId,
      countedAt,
      isRefunded,
      reservedAt: reservation?.reservedAt,
      generation: reservation?.generation,
      heldTokens: reservation?.held.tokens,
      heldPages: reservation?.held.pages,
      chargedTokens: reservation?.charged.tokens,
      chargedPages: reservation?.charged.pages,
      tokens: used?.tokens,
      pages: used?.pages,
    })),
  );
}

export async function settleRequests(
  connection: DedicatedConnection,
  requests: readonly SettledRequest[],
): Promise<void> {
  const text = 'select settle_requests($1::json)';
  await connection.query({ name: 'settle-requests', text, values: [toSettlements(requests)], rowMode: 'array' });
}

async function queryJson<Result>(
  connection: DedicatedConnection,
  query: { name: string; text: string; values: unknown[] },
): Promise<Result> {
  const [[result] = []] = await connection.query<[Result]>({ ...query, rowMode: 'array' });
  if (result === undefined) throw new Error('PostgreSQL returned no decisions.');
  return result;
}
