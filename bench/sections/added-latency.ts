import type { BenchDatabase } from '../data/bench-database.js';
import { embeddingsRequests, mockModel } from '../data/embeddings-requests.js';
import { insertKnownKeys } from '../data/keys.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import type { Load } from '../processes/load-generator.js';
import { median } from '../rounds.js';
import { quantity, type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { measureThroughput } from '../throughput.js';

const connections = 16;
const throughputRounds = 3;
const latencyRounds = 5;
const roundSeconds = 2;

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

interface Latency {
  p50: number;
  p99: number;
  requestsPerSecond: number;
}

/** Measures how much later responses arrive through Keycard, at half of its throughput. */
export function measureAddedLatency({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, probe, upstream, service }) => {
    const direct = (await upstream.run<Listening>({})).url;
    const settings: KeycardSettings = { database: connection, models: [mockModel(direct)] };
    const keycard = (await service.run<Listening>(settings)).url;
    const requests = embeddingsRequests(await insertKnownKeys(client));
    const { figures } = await measureThroughput<'keycard'>(generator, {
      loads: { keycard: { url: keycard, requests } },
      connections,
      rounds: throughputRounds,
    });
    return toRows(await measureLatency(probe, { direct, keycard }, requests, median(figures.keycard) / 2));
  });
}

async function measureLatency(
  probe: Child,
  urls: Record<'direct' | 'keycard', string>,
  [request]: Load['requests'],
  requestsPerSecond: number,
): Promise<Latency> {
  const measure = (url: string) => {
    const { headers, body } = request as Pick<Probe, 'headers' | 'body'>;
    const pace = { connections, requestsPerSecond, seconds: roundSeconds };
    const task: Probe = { url, method: 'POST', path: '/v1/embeddings', headers, body, ...pace };
    return probe.run<ProbeResult>(task);
  };
  const added: { p50: number[]; p99: number[] } = { p50: [], p99: [] };
  for (let round = 0; round < latencyRounds; round += 1) {
    const direct = await measure(urls.direct);
    const keycard = await measure(urls.keycard);
    added.p50.push(keycard.p50Milliseconds - direct.p50Milliseconds);
    added.p99.push(keycard.p99Milliseconds - direct.p99Milliseconds);
  }
  return { p50: median(added.p50), p99: median(added.p99), requestsPerSecond };
}

function toRows({ p50, p99, requestsPerSecond }: Latency): Row[] {
  const explanation = `At ${quantity(requestsPerSecond, 'requests/s')}, half of the throughput of ${connections} connections: the percentile through Keycard minus the one without it.`;
  return [
    valueRow({ what: 'Added latency at half load, p50', explanation }, p50, 1, 'ms'),
    valueRow({ what: 'Added latency at half load, p99', explanation }, p99, 5, 'ms'),
  ];
}
