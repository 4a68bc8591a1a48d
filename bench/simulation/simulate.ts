import { Batcher, type StatementCosts } from './batcher.js';
import { exponentialTimes } from './exponential.js';
import { Clock, Machine } from './machine.js';

/** Of Linux with two to three processors: 0.7 ms × (1 + log2 of their number), `sysctl_sched_base_slice`. */
const sliceMicroseconds = 1400;

const warmUpMicroseconds = 1_000_000;
const measuredMicroseconds = 4_000_000;

/** Pauses of Keycard to collect garbage, in microseconds. */
export interface Pauses {
  everyRequests: number;
  microseconds: number;
}

/** Costs of a forwarded request, in microseconds of processor time. */
export interface SingleCosts {
  lookup: StatementCosts;
  write: StatementCosts;
  /** In Keycard. */
  keycard: StatementCosts;
  generator: number;
  upstream: number;
  pauses: Pauses;
  /**
   * Pauses while other replicas use the processors. V8 collects with several threads that wait for each other, so they take
   * longer.
   */
  crowdedPauses: Pauses;
  /** The share by which each other replica on the same processors makes a request more expensive, because they share caches. */
  crowding: number;
}

export interface Cluster {
  /** Of the machine that runs everything, or of the database's. */
  cores: number;
  replicas: number;
  /** In all. */
  connections: number;
  /** Whether load generators, the upstream and replicas run elsewhere, with a processor for each. */
  hasOwnDatabaseMachine?: boolean;
}

export interface Prediction {
  requestsPerSecond: number;
  p99Milliseconds: number;
  /** The share of the processors that was used. */
  utilization: number;
}

/**
 * Simulates clients that send one request after the other to replicas on one database.
 *
 * Each request is computed by the load generator, its replica, the session that looks up keys, the upstream, its replica
 * again, and the session that records usage.
 */
export function simulate(costs: SingleCosts, cluster: Cluster): Prediction {
  const { cores, replicas, connections, hasOwnDatabaseMachine = false } = cluster;
  const vary = exponentialTimes();
  const database = new Machine(cores, sliceMicroseconds, vary);
  const others = hasOwnDatabaseMachine ? new Machine(Infinity, sliceMicroseconds, vary) : database;
  const crowding = hasOwnDatabaseMachine ? 1 : 1 + costs.crowding * (replicas - 1);
  const keycard = {
    perRequest: costs.keycard.perRequest * crowding,
    perStatement: costs.keycard.perStatement * crowding,
  };
  const pauses = hasOwnDatabaseMachine || replicas === 1 ? costs.pauses : costs.crowdedPauses;
  const clock = new Clock(hasOwnDatabaseMachine ? [database, others] : [database]);
  const upstream = others.start();
  const latencies: number[] = [];
  let completed = 0;
  for (let replica = 0; replica < replicas; replica += 1) {
    const generator = others.start();
    const process = others.start();
    const lookups = new Batcher(process, database.start(), costs.lookup, keycard.perStatement);
    const writes = new Batcher(process, database.start(), costs.write, keycard.perStatement);
    let sent = 0;
    const send = () => {
      const start = clock.now;
      sent += 1;
      if (sent % pauses.everyRequests === 0) process.compute(pauses.microseconds, () => undefined);
      generator.compute(costs.generator / 2, () =>
        process.compute(keycard.perRequest / 2, () =>
          lookups.submit(() =>
            upstream.compute(costs.upstream, () =>
              process.compute(keycard.perRequest / 2, () =>
                writes.submit(() =>
                  generator.compute(costs.generator / 2, () => {
                    if (clock.now > warmUpMicroseconds) {
                      completed += 1;
                      latencies.push(clock.now - start);
                    }
                    send();
                  }),
                ),
              ),
            ),
          ),
        ),
      );
    };
    const share = Math.floor(connections / replicas) + (replica < connections % replicas ? 1 : 0);
    for (let connection = 0; connection < share; connection += 1) send();
  }
  clock.runUntil(warmUpMicroseconds);
  const usedBefore = database.used;
  clock.runUntil(warmUpMicroseconds + measuredMicroseconds);
  latencies.sort((left, right) => left - right);
  return {
    requestsPerSecond: completed / (measuredMicroseconds / 1e6),
    p99Milliseconds: (latencies[Math.ceil(latencies.length * 0.99) - 1] ?? NaN) / 1000,
    utilization: (database.used - usedBefore) / (measuredMicroseconds * cores),
  };
}
