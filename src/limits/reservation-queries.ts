import type { DedicatedConnection } from '../database/dedicated-connection.js';
import { loadStatement } from '../database/sql-file.js';
import type { Admission, Counted, CountedLimit, LimitRow } from './admission.js';
import type { Demand } from './amounts.js';
import { Settlement, type SettledRequest } from './settlements.js';

/** A request that needs a reservation. */
interface ReservationDemand {
  readonly admission: Admission;
  readonly demand: Demand;
  /** Returned by an earlier attempt, in microseconds since 1970. */
  readonly waitingSince: number | null;
  /** Whether it won't wait any longer. */
  readonly isLastAttempt: boolean;
}

/** Decisions about requests that ask for reservations; see the function `reserve_amounts`. */
export interface UsageDecisions {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the holds. */
  readonly generation: number;
  /** Positions of those that hold one now, and the output that they get for each choice. */
  readonly reserved: readonly (readonly [position: number, outputTokens: number])[];
  /** Positions of those that have to wait, and since when. */
  readonly waiting: readonly (readonly [position: number, since: number])[];
  readonly limits: readonly LimitRow[];
}

export const reserve = loadStatement('limits/reserve-amounts.sql', { parameters: ['demands'] });

/** Decides about requests in their order. */
export async function reserveAmounts(
  connection: DedicatedConnection,
  demands: readonly ReservationDemand[],
): Promise<UsageDecisions> {
  const rows = demands.map(({ admission, demand, waitingSince, isLastAttempt }, position) => {
    const { model, tokens, pages, cost, estimate, output } = demand;
    return {
      position,
      keyId: admission.keyId,
      organizationId: admission.organizationId,
      model,
      countedModels: admission.countedModels.length === 0 ? null : admission.countedModels,
      tokens,
      pages,
      cost,
      estimatedTokens: estimate?.tokens,
      estimatedPages: estimate?.pages,
      output: output?.tokens ?? 0,
      leastOutput: output?.leastTokens ?? 0,
      choices: output?.choices ?? 1,
      outputPrice: String(output?.price ?? 0),
      waitingSince,
      isLastAttempt,
    };
  });
  const values = reserve.bind({ demands: JSON.stringify(rows) });
  return queryJson<UsageDecisions>(connection, { name: 'reserve-amounts', text: reserve.text, values });
}

/** What requests hold of a limit since the same generation and quarter of an hour. */
export interface HeldSum {
  readonly ownerId: string;
  readonly counterMetric: string;
  readonly metric: CountedLimit['metric'];
  readonly per: string;
  readonly generation: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Sums of costs may exceed 2^53. */
  amount: bigint;
}

/** Moves holds to the current generation, and returns that. */
export async function renewHolds(connection: DedicatedConnection, sums: readonly HeldSum[]): Promise<number> {
  const holds = JSON.stringify(sums.map((sum) => ({ ...sum, amount: String(sum.amount) })));
  const text = 'select renew_holds($1::json)';
  return Number(await queryJson(connection, { name: 'renew-holds', text, values: [holds] }));
}

/** @param released what ended requests have held until now */
export async function settleRequests(
  connection: DedicatedConnection,
  requests: readonly SettledRequest[],
  released: readonly Counted[] = [],
): Promise<void> {
  const text = 'select settle_amounts($1::json)';
  await connection.query({
    name: 'settle-amounts',
    text,
    values: [new Settlement(requests, released).toJson()],
    rowMode: 'array',
  });
}

async function queryJson<Result>(
  connection: DedicatedConnection,
  query: { name: string; text: string; values: unknown[] },
): Promise<Result> {
  const [[result] = []] = await connection.query<[Result]>({ ...query, rowMode: 'array' });
  if (result === undefined) throw new Error('PostgreSQL returned no decisions.');
  return result;
}
