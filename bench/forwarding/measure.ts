import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { type Child, withChildren } from '../processes/child.js';
import type { ExternalServer } from '../processes/external-server.js';
import type { Listening } from '../servers/keycard.js';
import type { Table } from '../table.js';
import { measureThroughput } from '../throughput.js';
import { startBuilds } from './builds.js';
import { startProxies } from './proxies.js';
import { type Contender, forwardingNotes, forwardingTable } from './tables.js';
import type { Targets } from './target.js';

/** The most first, which warms up the code of all contenders. */
const connectionCounts = [64, 16, 1];
const rounds = 7;
const warmUpSeconds = 3;

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  bare: new URL('../servers/bare-proxy.js', import.meta.url),
};

/** Measures what a forwarded request costs, next to the previous release, other proxies and the upstream alone. */
export function measureForwarding(database: BenchDatabase): Promise<Table[]> {
  return withChildren(scripts, async ({ generator, upstream, bare }) => {
    const { url } = await upstream.run<Listening>({});
    const servers: ExternalServer[] = [];
    try {
      const builds = await startBuilds(database, url, servers);
      const { requests } = builds.targets.keycard;
      const proxies = await startProxies(url, requests, servers);
      const bareUrl = (await bare.run<Listening>({ upstreamUrl: url })).url;
      const tables = await measureTargets(database, generator, {
        ...builds.targets,
        bare: { url: bareUrl, pid: bare.pid, requests },
        ...proxies,
        direct: { url, pid: undefined, requests },
      });
      return withNotes(tables, [...forwardingNotes, builds.note]);
    } finally {
      for (const server of servers) await server.stop();
    }
  });
}

async function measureTargets({ client }: BenchDatabase, generator: Child, targets: Targets): Promise<Table[]> {
  const pids = Object.entries(targets).map(([name, { pid }]) => [name, pid]);
  const processes = {
    contenders: Object.fromEntries(pids) as Partial<Record<Contender, number | undefined>>,
    postmaster: await findPostmaster(client),
  };
  const tables: Table[] = [];
  for (const connections of connectionCounts) {
    const settings = { loads: targets, processes, connections, rounds, warmUpSeconds };
    tables.unshift(forwardingTable(await measureThroughput<Contender>(generator, settings), connections));
  }
  return tables;
}

/** Adds notes below the last table. */
function withNotes(tables: readonly Table[], notes: readonly string[]): Table[] {
  return tables.map((table, index) => (index === tables.length - 1 ? { ...table, notes } : table));
}
