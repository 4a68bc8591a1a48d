import type { BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertKnownKeys, organizationOf } from '../data/keys.js';
import { largestBodies, type LargestBody } from '../data/largest-bodies.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import type { Permission } from '../../src/access/permissions.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const rounds = 3;
const probeSeconds = 2;
const probesPerSecond = 200;

const permissions: Permission[] = ['create-api-keys', 'create-roles', 'create-members'];

const scripts = {
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

interface Delay {
  name: string;
  milliseconds: number;
}

/** Measures how long bodies of the maximum size block the event loop. */
export function measureLargestBodies(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ probe, service }) => {
    const settings: KeycardSettings = { database: database.connection };
    const { url } = await service.run<Listening>(settings);
    const [key = ''] = await insertKnownKeys(database.client);
    const organizationId = await organizationOf(database.client, key);
    const tokens = { key, member: await insertMember(database.client, organizationId, { permissions }) };
    const bodies = largestBodies();
    // The first requests start the engines.
    for (const body of bodies) await send(url, tokens, body);
    const delays: Delay[] = [];
    for (const body of bodies) {
      const milliseconds: number[] = [];
      let status: number | undefined;
      for (let round = 0; round < rounds; round += 1) {
        const [worst, received] = await Promise.all([measureWorst(probe, url), send(url, tokens, body)]);
        milliseconds.push(worst);
        status = received;
      }
      delays.push({ name: body.name, milliseconds: median(milliseconds) });
      console.log(`  ${body.name}: ${status}, ${milliseconds.map((worst) => worst.toFixed(1)).join(', ')} ms`);
    }
    return [toRow(delays)];
  });
}

async function measureWorst(probe: Child, url: string): Promise<number> {
  const request = { method: 'GET', path: '/health/live', headers: {} } as const;
  const task: Probe = {
    url,
    ...request,
    connections: 4,
    requestsPerSecond: probesPerSecond,
    seconds: probeSeconds,
  };
  return (await probe.run<ProbeResult>(task)).worstMilliseconds;
}

/** Returns the status; undefined if the service closed the connection before the body was sent. */
async function send(
  url: string,
  tokens: Record<LargestBody['access'], string>,
  { path, contentType, body, access }: LargestBody,
): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${tokens[access]}`, 'content-type': contentType };
  try {
    const response = await fetch(url + path, { method: 'POST', headers, body: new Uint8Array(body) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

function toRow(delays: readonly Delay[]): Row {
  const worst = delays.reduce((most, delay) => (delay.milliseconds > most.milliseconds ? delay : most));
  const explanation = `${probesPerSecond} requests/s to GET /health/live while one of ${delays.length} bodies of the maximum size is read: the slowest response, median of ${rounds} rounds, of the body that delays it most (${worst.name}).`;
  return valueRow(
    { what: 'Worst delay of GET /health/live during the largest bodies', explanation },
    worst.milliseconds,
    50,
    'ms',
  );
}
