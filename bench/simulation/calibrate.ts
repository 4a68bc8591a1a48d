import type { Costs } from '../capacity/measure-costs.js';
import type { Pauses, SingleCosts } from './simulate.js';
import type { StatementCosts } from './batcher.js';

/** Costs of a request while other replicas are busy. */
export interface CrowdedCosts {
  costs: Costs;
  otherReplicas: number;
}

/** Costs with one connection, where each request has its own statements, and with many. */
export interface MeasuredCosts {
  one: Costs;
  many: Costs;
}

/**
 * Derives what a single request and a single statement cost from what requests cost with one connection and with many.
 *
 * @param forwarded requests to an upstream, which look up a key and record usage
 * @param lookups requests that only look up a key
 * @param crowded forwarded requests
 */
export function calibrate(forwarded: MeasuredCosts, lookups: MeasuredCosts, crowded: CrowdedCosts): SingleCosts {
  const lookup = solve(
    { statements: lookups.one.lookups, cost: lookups.one.postgres },
    { statements: lookups.many.lookups, cost: lookups.many.postgres },
  );
  const ofLookup = (costs: Costs) => lookup.perRequest + lookup.perStatement * costs.lookups;
  const point = (costs: Costs) => ({ statements: costs.writes, cost: costs.postgres - ofLookup(costs) });
  const statementsOf = (costs: Costs) => ({ statements: costs.lookups + costs.writes, cost: costs.keycard });
  const keycard = solve(statementsOf(forwarded.one), statementsOf(forwarded.many));
  const { statements, cost } = statementsOf(crowded.costs);
  const uncrowded = keycard.perRequest + keycard.perStatement * statements;
  return {
    lookup,
    write: solve(point(forwarded.one), point(forwarded.many)),
    keycard,
    generator: forwarded.many.generator,
    upstream: forwarded.many.upstream,
    pauses: pausesOf(forwarded.many),
    crowdedPauses: pausesOf(crowded.costs),
    crowding: Math.max(0, cost / uncrowded - 1) / crowded.otherReplicas,
  };
}

const pausesOf = ({ requestsPerPause, pause }: Costs): Pauses => ({
  everyRequests: requestsPerPause,
  microseconds: pause,
});

interface Point {
  /** Per request. */
  statements: number;
  /** Of a request. */
  cost: number;
}

/** Solves cost = perRequest + statements × perStatement for two measurements. */
function solve(one: Point, many: Point): StatementCosts {
  const perStatement = (one.cost - many.cost) / (one.statements - many.statements);
  return { perStatement, perRequest: Math.max(0, one.cost - perStatement * one.statements) };
}
