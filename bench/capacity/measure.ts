import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { type Child, withChildren } from '../processes/child.js';
import { type ExternalServer, findFreePort } from '../processes/external-server.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { median } from '../rounds.js';
import { startService } from '../sections/instances.js';
import type { Listening } from '../servers/keycard.js';
import { calibrate } from '../simulation/calibrate.js';
import { type Prediction, simulate, type SingleCosts } from '../simulation/simulate.js';
import { DatabaseMeter } from './database-meter.js';
import { type Costs, measureCosts, type Setup } from './measure-costs.js';
import { prepareKinds, type RequestKind } from './request-kinds.js';
import { processorCount } from './capacity.js';

const connections = 64;
const replicaCounts = [1, 2, 4];
const warmUpSeconds = 4;
const roundSeconds = 3;
const rounds = 5;
/** Kinds whose requests change one row, so that replicas wait for each other. */
const hotKinds = ['plain', 'one key', 'one limited key', 'limited organization'];

const generatorScript = new URL('../processes/load-generator.js', import.meta.url);
const scripts = {
  first: generatorScript,
  second: generatorScript,
  third: generatorScript,
  fourth: generatorScript,
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
};

/** A kind of request, and its costs with one connection and with many. */
export interface MeasuredKind {
  name: string;
  one: Costs;
  many: Costs;
}

/** Several replicas, as measured and as predicted. */
export interface MeasuredCluster {
  replicas: number;
  measured: Pick<Prediction, 'requestsPerSecond' | 'p99Milliseconds'>;
  predicted: Prediction;
}

/** Requests that change one row, on several replicas. */
export interface MeasuredContention {
  name: string;
  requestsPerSecond: number;
  /** Microseconds per request that sessions wait for locks. */
  lockWait: number;
}

export interface CapacityResults {
  kinds: MeasuredKind[];
  single: SingleCosts;
  clusters: MeasuredCluster[];
  contention: MeasuredContention[];
}

/** Measures what requests cost, and checks what the simulation predicts from that. */
export function measureCapacity(database: BenchDatabase): Promise<CapacityResults> {
  return withChildren(scripts, async ({ first, second, third, fourth, upstream }) => {
    const generators = [first, second, third, fourth];
    const { url: upstreamUrl } = await upstream.run<Listening>({});
    const kinds = await prepareKinds(database.client);
    const meter = await DatabaseMeter.connect(database.connection);
    const services: ExternalServer[] = [];
    try {
      const metricsPort = await findFreePort();
      services.push(await startService(database, '1', upstreamUrl, { metricsPort }));
      const [service] = services;
      const setup: Setup = {
        url: service?.url ?? '',
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
        meter,
        generator: first,
        processes: {
          keycard: service?.pid,
          postgres: await findPostmaster(database.client),
          generator: first.pid,
          upstream: upstream.pid,
        },
      };
      const measured: MeasuredKind[] = [];
      for (const kind of kinds) {
        const one = await measureCosts(setup, kind, 1);
        measured.push({ name: kind.name, one, many: await measureCosts(setup, kind, connections) });
      }
      const find = (name: string) => findByName(measured, name);
      const single = calibrate(find('plain'), find('lookup'));
      while (services.length < Math.max(...replicaCounts))
        services.push(await startService(database, '1', upstreamUrl));
      const urls = services.map(({ url }) => url);
      const clusters = await measureClusters(generators, urls, findByName(kinds, 'plain'), single);
      const contention = await measureContention(generators, urls, kinds, meter);
      return { kinds: measured, single, clusters, contention };
    } finally {
      for (const service of services) await service.stop();
      await meter.close();
    }
  });
}

async function measureClusters(
  generators: readonly Child[],
  urls: readonly string[],
  kind: RequestKind,
  single: SingleCosts,
): Promise<MeasuredCluster[]> {
  const results = replicaCounts.map((replicas) => ({ replicas, figures: [] as LoadResult[] }));
  for (const { replicas } of results) await loadAll(generators, urls.slice(0, replicas), kind, warmUpSeconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const { replicas, figures } of results) {
      figures.push(await loadAll(generators, urls.slice(0, replicas), kind, roundSeconds));
    }
  }
  return results.map(({ replicas, figures }) => ({
    replicas,
    measured: {
      requestsPerSecond: median(figures.map(({ requestsPerSecond }) => requestsPerSecond)),
      p99Milliseconds: median(figures.map(({ p99Milliseconds }) => p99Milliseconds)),
    },
    predicted: simulate(single, { cores: processorCount, replicas, connections }),
  }));
}

async function measureContention(
  generators: readonly Child[],
  urls: readonly string[],
  kinds: readonly RequestKind[],
  meter: DatabaseMeter,
): Promise<MeasuredContention[]> {
  const found: MeasuredContention[] = [];
  for (const name of hotKinds) {
    const kind = findByName(kinds, name);
    await loadAll(generators, urls, kind, warmUpSeconds);
    const { result, work } = await meter.measure(() => loadAll(generators, urls, kind, 2 * roundSeconds));
    const { requestsPerSecond, requests } = result;
    found.push({ name, requestsPerSecond, lockWait: (work.lockSeconds * 1e6) / requests });
  }
  return found;
}

/** Divides the connections among replicas, each with a load generator of its own. */
async function loadAll(
  generators: readonly Child[],
  urls: readonly string[],
  { requests }: RequestKind,
  seconds: number,
): Promise<LoadResult> {
  const share = connections / urls.length;
  const results = await Promise.all(
    urls.map((url, index) => {
      const load: Load = { url, connections: share, seconds, requests };
      return (generators[index] as Child).run<LoadResult>(load);
    }),
  );
  const sum = (read: (result: LoadResult) => number) => results.map(read).reduce((total, value) => total + value, 0);
  return {
    requests: sum(({ requests: count }) => count),
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    p99Milliseconds: sum(({ p99Milliseconds }) => p99Milliseconds) / results.length,
  };
}

function findByName<Named extends { name: string }>(all: readonly Named[], name: string): Named {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} isn't measured.`);
  return found;
}
