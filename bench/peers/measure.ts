import type { BenchDatabase } from '../data/bench-database.js';
import { CpuMeter } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
import { insertKnownKeys } from '../data/keys.js';
import type { BetterAuthLoad } from '../processes/better-auth-callers.js';
import type { CallsResult } from '../processes/calls.js';
import { type Child, withChildren } from '../processes/child.js';
import type { ExternalServer } from '../processes/external-server.js';
import { startHaproxy } from '../processes/haproxy.js';
import { startNginx } from '../processes/nginx.js';
import type { VerifierLoad } from '../processes/verifier-callers.js';
import { type Figures, measureInRounds } from '../rounds.js';
import type { Row } from '../row.js';
import { embeddingsRequests, mockModel } from '../sections/gateway.js';
import { measureStreams } from '../sections/streams.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { measureThroughput } from '../throughput.js';
import { installPeers } from './install.js';
import { startPortkey, viaPortkey } from './portkey.js';
import { type Gateway, type Verifier, gatewayRows, verifierRows } from './rows.js';

const rounds = 5;
const roundSeconds = 2;
const connectionCounts = [16, 64];
const callerCounts = [1, 64];

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
  keycard: new URL('../processes/verifier-callers.js', import.meta.url),
  betterAuth: new URL('../processes/better-auth-callers.js', import.meta.url),
};

type Children = Record<keyof typeof scripts, Child>;

/** Compares Keycard with other gateways and with a library for API keys. */
export async function measurePeers(database: BenchDatabase): Promise<Row[]> {
  const folder = await installPeers();
  try {
    return await withChildren(scripts, async (children) => [
      ...(await measureGateways(database, folder.path, children)),
      ...(await measureVerifiers(database, folder.path, children)),
      ...(await measureStreams(database, folder.path)),
    ]);
  } finally {
    await folder.remove();
  }
}

async function measureGateways(
  { client, connection }: BenchDatabase,
  folder: string,
  { generator, upstream, service }: Children,
): Promise<Row[]> {
  const { url: upstreamUrl } = await upstream.run<Listening>({});
  const settings: KeycardSettings = { database: connection, models: [mockModel(upstreamUrl)] };
  const { url } = await service.run<Listening>(settings);
  const requests = embeddingsRequests(await insertKnownKeys(client));
  const postmaster = await findPostmaster(client);
  const servers: ExternalServer[] = [];
  const open = async <Server extends ExternalServer | undefined>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting;
    if (server !== undefined) servers.push(server);
    return server;
  };
  try {
    const portkey = await open(startPortkey(folder));
    const nginx = await open(startNginx(upstreamUrl));
    const haproxy = await open(startHaproxy(upstreamUrl));
    const loads = {
      keycard: { url, requests },
      portkey: { url: portkey.url, requests: viaPortkey(requests, upstreamUrl) },
      ...(nginx && { nginx: { url: nginx.url, requests } }),
      ...(haproxy && { haproxy: { url: haproxy.url, requests } }),
    };
    const contenders = { keycard: service.pid, portkey: portkey.pid, nginx: nginx?.pid, haproxy: haproxy?.pid };
    const rows: Row[] = [];
    for (const connections of connectionCounts) {
      const processes = { contenders, postmaster };
      const throughput = await measureThroughput<Gateway>(generator, { loads, processes, connections, rounds });
      rows.push(...gatewayRows(throughput, connections));
    }
    return rows;
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function measureVerifiers(
  { client, connection }: BenchDatabase,
  folder: string,
  { keycard, betterAuth }: Children,
): Promise<Row[]> {
  const keys = await insertKnownKeys(client);
  await client.query('create database better_auth');
  const ownDatabase = { ...connection, database: 'better_auth' };
  const processes = {
    contenders: { metered: keycard.pid, lookup: keycard.pid, betterAuth: betterAuth.pid },
    postmaster: await findPostmaster(client),
  };
  const rows: Row[] = [];
  for (const callers of callerCounts) {
    const task = { callers, seconds: roundSeconds };
    const keycardLoad = { ...task, database: connection, keys };
    const betterAuthLoad = { ...task, database: ownDatabase, folder, keyCount: keys.length } satisfies BetterAuthLoad;
    const cpu = new CpuMeter<Verifier>(processes);
    const measure = (name: Verifier, child: Child, load: VerifierLoad | BetterAuthLoad) => async () => {
      const run = async () => {
        const result = await child.run<CallsResult>(load);
        return { ...result, requests: result.calls };
      };
      return (await cpu.measure(name, run)).callsPerSecond;
    };
    // Creates its keys, which isn't measured.
    await betterAuth.run<CallsResult>(betterAuthLoad);
    const figures: Figures<Verifier> = await measureInRounds(rounds, {
      metered: measure('metered', keycard, { ...keycardLoad, verifyWith: 'metered' }),
      lookup: measure('lookup', keycard, { ...keycardLoad, verifyWith: 'service' }),
      betterAuth: measure('betterAuth', betterAuth, betterAuthLoad),
    });
    rows.push(...verifierRows({ figures, cpu }, callers));
  }
  return rows;
}
