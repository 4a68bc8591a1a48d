import path from 'node:path';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { withChildren } from '../processes/child.js';
import { type ExternalServer, findFreePort } from '../processes/external-server.js';
import { startService } from '../sections/instances.js';
import type { Listening } from '../servers/keycard.js';
import {
  type Cluster,
  connections,
  loadCluster,
  type MeasuredCluster,
  measureClusters,
  mostReplicas,
  warmUp,
} from './clusters.js';
import { DatabaseMeter } from './database-meter.js';
import { type Costs, measureCosts, type Setup } from './measure-costs.js';
import { prepareKinds, type RequestKind, streamSettings } from './request-kinds.js';

const warmUpSeconds = 2;
const contentionSeconds = 6;
/** Kinds whose requests change one row, so that replicas wait for each other. */
const hotKinds = ['plain', 'one key', 'one limited key', 'limited organization'];

const generatorScript = new URL('../processes/load-generator.js', import.meta.url);
const scripts = {
  first: generatorScript,
  second: generatorScript,
  third: generatorScript,
  fourth: generatorScript,
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  streamUpstream: new URL('../servers/stream-upstream.js', import.meta.url),
};

/** A kind of request, and its costs with one connection and with many. */
export interface MeasuredKind {
  name: string;
  one: Costs;
  many: Costs;
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
  clusters: MeasuredCluster[];
  contention: MeasuredContention[];
}

/** Measures what requests cost, and checks what the simulation predicts from that. */
export function measureCapacity(database: BenchDatabase): Promise<CapacityResults> {
  return withChildren(scripts, async ({ first, second, third, fourth, upstream, streamUpstream }) => {
    const generators = [first, second, third, fourth];
    const { url: upstreamUrl } = await upstream.run<Listening>({});
    const stream = await streamUpstream.run<Listening>(streamSettings);
    const moreModels = `  - { id: stream, task: generation, maxOutputTokens: 1000, targets: [{ baseUrl: '${stream.url}/v1' }] }\n`;
    const kinds = await prepareKinds(database.client);
    const meter = await DatabaseMeter.connect(database.connection);
    const folder = await makeBenchFolder();
    const services: ExternalServer[] = [];
    try {
      const metricsPort = await findFreePort();
      const pausesFile = path.join(folder.path, 'pauses.json');
      services.push(await startService(database, '1', upstreamUrl, { metricsPort, pausesFile, moreModels }));
      const [service] = services;
      const setup: Setup = {
        url: service?.url ?? '',
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
        pausesFile,
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
      while (services.length < mostReplicas) services.push(await startService(database, '1', upstreamUrl));
      const cluster: Cluster = { generators, urls: services.map(({ url }) => url) };
      const find = (name: string) => findByName(kinds, name);
      await warmUp(cluster, find('plain'));
      const clusters = await measureClusters(setup, cluster, { forwarded: find('plain'), lookup: find('lookup') });
      const contention = await measureContention(cluster, hotKinds.map(find), meter);
      return { kinds: measured, clusters, contention };
    } finally {
      for (const service of services) await service.stop();
      await meter.close();
      await folder.remove();
    }
  });
}

async function measureContention(
  cluster: Cluster,
  kinds: readonly RequestKind[],
  meter: DatabaseMeter,
): Promise<MeasuredContention[]> {
  const found: MeasuredContention[] = [];
  for (const kind of kinds) {
    await loadCluster(cluster, mostReplicas, kind, warmUpSeconds);
    const { result, work } = await meter.measure(() => loadCluster(cluster, mostReplicas, kind, contentionSeconds));
    const { requestsPerSecond, requests } = result;
    found.push({ name: kind.name, requestsPerSecond, lockWait: (work.lockSeconds * 1e6) / requests });
  }
  return found;
}

function findByName<Named extends { name: string }>(all: readonly Named[], name: string): Named {
  const found = all.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} isn't measured.`);
  return found;
}
