import { calibrate, type MeasuredCosts } from '../simulation/calibrate.js';
import { type Pauses, type Prediction, simulate, type SingleCosts } from '../simulation/simulate.js';
import type { Child } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { median, medianRatio } from '../rounds.js';
import { processorCount } from './capacity.js';
import { type Costs, measureOnce, type Setup } from './measure-costs.js';
import type { RequestKind } from './request-kinds.js';

/** In all. */
export const connections = 64;
const replicaCounts = [1, 2, 4];
export const mostReplicas = Math.max(...replicaCounts);
/** A shared machine changes its speed within seconds, so there are many short rounds instead of a few long ones. */
const costSeconds = 1;
const loadSeconds = 5;
const rounds = 12;
/** A new process compiles its code for some seconds on a slow machine. */
const warmUpSeconds = 12;

/** Replicas, and as many processes that send them requests. */
export interface Cluster {
  urls: readonly string[];
  generators: readonly Child[];
}

type Speed = Pick<Prediction, 'requestsPerSecond' | 'p99Milliseconds'>;

/** Several replicas, as measured and as predicted. */
export interface MeasuredCluster {
  replicas: number;
  measured: Speed;
  predicted: Speed;
  /** Predicted divided by measured: medians of the ratios in each round. */
  ratio: Speed;
}

/** Sends requests to each replica alone and then to all, until their code is compiled. */
export async function warmUp(cluster: Cluster, kind: RequestKind): Promise<void> {
  const { urls, generators } = cluster;
  for (const [index, url] of urls.entries()) {
    await loadCluster({ urls: [url], generators: generators.slice(index) }, 1, kind, warmUpSeconds);
  }
  await loadCluster(cluster, mostReplicas, kind, warmUpSeconds * mostReplicas);
}

/** Divides the connections among replicas, each with a load generator of its own. */
export async function loadCluster(
  { urls, generators }: Cluster,
  replicas: number,
  { requests }: RequestKind,
  seconds: number,
): Promise<LoadResult> {
  const results = await Promise.all(
    urls.slice(0, replicas).map((url, index) => {
      const load: Load = {
        url,
        connections: connections / replicas,
        seconds,
        requests: rotate(requests, index / replicas),
      };
      return (generators[index] as Child).run<LoadResult>(load);
    }),
  );
  const sum = (read: (result: LoadResult) => number) => results.map(read).reduce((total, value) => total + value, 0);
  return {
    requests: sum(({ requests: count }) => count),
    requestsPerSecond: sum(({ requestsPerSecond }) => requestsPerSecond),
    p99Milliseconds: sum(({ p99Milliseconds }) => p99Milliseconds) / replicas,
  };
}

/** Starts a list elsewhere, so that replicas don't get requests of the same keys at the same time. */
function rotate<Item>(items: readonly Item[], share: number): Item[] {
  const start = Math.floor(items.length * share);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Measures requests of the first replica while the others look up keys. */
async function measureCrowded(
  setup: Setup,
  { urls, generators }: Cluster,
  { forwarded, lookup }: Record<'forwarded' | 'lookup', RequestKind>,
): Promise<Costs> {
  const each = connections / mostReplicas;
  const others = urls.slice(1).map((url, index) => {
    const load: Load = { url, connections: each, seconds: costSeconds, requests: lookup.requests };
    return (generators[index + 1] as Child).run<LoadResult>(load);
  });
  const [costs] = await Promise.all([measureOnce(setup, forwarded, each, costSeconds), ...others]);
  return costs;
}

/**
 * Measures clusters, and what the simulation needs to know to predict them: costs of one replica. Each round has predictions
 * of its own, because the speed of the machine changes.
 */
export async function measureClusters(
  setup: Setup,
  cluster: Cluster,
  kinds: Record<'forwarded' | 'lookup', RequestKind>,
): Promise<MeasuredCluster[]> {
  const found = replicaCounts.map((replicas) => ({ replicas, measured: [] as Speed[] }));
  const costsOfRounds: SingleCosts[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    // Costs and clusters alternate, so that the speed of the machine affects both alike.
    const load = async (index: number) => {
      const one = found[index];
      one?.measured.push(await loadCluster(cluster, one.replicas, kinds.forwarded, loadSeconds));
    };
    const forwarded = await measureBoth(setup, kinds.forwarded);
    await load(0);
    const lookups = await measureBoth(setup, kinds.lookup);
    await load(1);
    const crowded = await measureCrowded(setup, cluster, kinds);
    await load(2);
    costsOfRounds.push(calibrate(forwarded, lookups, { costs: crowded, otherReplicas: mostReplicas - 1 }));
    const figures = found.map(({ replicas, measured }) => {
      return `${replicas}: ${Math.round(measured.at(-1)?.requestsPerSecond ?? NaN)}`;
    });
    console.log(`  round ${round}, requests/s of replicas: ${figures.join('; ')}`);
  }
  const pauses = medianPauses(costsOfRounds.map((costs) => costs.pauses));
  const crowdedPauses = medianPauses(costsOfRounds.map((costs) => costs.crowdedPauses));
  return found.map(({ replicas, measured }) => {
    const size = { cores: processorCount, replicas, connections };
    const predicted = costsOfRounds.map((costs) => simulate({ ...costs, pauses, crowdedPauses }, size));
    const ratioOf = (name: keyof Speed) =>
      medianRatio(
        predicted.map((one) => one[name]),
        measured.map((one) => one[name]),
      );
    return {
      replicas,
      measured: medianSpeed(measured),
      predicted: medianSpeed(predicted),
      ratio: { requestsPerSecond: ratioOf('requestsPerSecond'), p99Milliseconds: ratioOf('p99Milliseconds') },
    };
  });
}

/** Pauses are too rare to be known from a single round; some have none. */
function medianPauses(found: readonly Pauses[]): Pauses {
  const of = (name: keyof Pauses) => median(found.map((pauses) => pauses[name]).filter(Number.isFinite));
  return { everyRequests: Math.round(of('everyRequests')), microseconds: of('microseconds') };
}

/** Measures the costs with one connection and with many. */
async function measureBoth(setup: Setup, kind: RequestKind): Promise<MeasuredCosts> {
  return {
    one: await measureOnce(setup, kind, 1, costSeconds),
    many: await measureOnce(setup, kind, connections, costSeconds),
  };
}

function medianSpeed(found: readonly Speed[]): Speed {
  return {
    requestsPerSecond: median(found.map(({ requestsPerSecond }) => requestsPerSecond)),
    p99Milliseconds: median(found.map(({ p99Milliseconds }) => p99Milliseconds)),
  };
}
