import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { CpuMeter } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { makeSentences } from '../data/sentences.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import type { Load } from '../processes/load-generator.js';
import { startNginx } from '../processes/nginx.js';
import { median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { measureThroughput, type Throughput } from '../throughput.js';

const rounds = 7;
const roundSeconds = 2;
const latencyRounds = 5;

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  bare: new URL('../servers/bare-proxy.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

type Contender = 'direct' | 'nginx' | 'bare' | 'service';
type Urls = Partial<Record<Contender, string>>;

/** Measures the cost of the gateway between client and upstream: authentication, metering, logging. */
export function measureGateway(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, probe, upstream, bare, service }) => {
    const direct = await upstream.run<Listening>({});
    const keycard: KeycardSettings = { database: database.connection, models: [mockModel(direct.url)] };
    const nginx = await startNginx(direct.url);
    try {
      const urls = {
        direct: direct.url,
        ...(nginx && { nginx: nginx.url }),
        bare: (await bare.run<Listening>({ upstreamUrl: direct.url })).url,
        service: (await service.run<Listening>(keycard)).url,
      };
      const processes = {
        contenders: { bare: bare.pid, service: service.pid },
        postmaster: await findPostmaster(database.client),
      };
      const requests = embeddingsRequests(await insertKnownKeys(database.client));
      const loads = Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { url, requests }]));
      const settings = { loads, processes, rounds };
      const few = await measureThroughput<Contender>(generator, { ...settings, connections: 16 });
      const many = await measureThroughput<Contender>(generator, { ...settings, connections: 64 });
      const latency = await measureLatency(probe, urls, requests, median(few.figures.service) / 2);
      return [...throughputRows(few, 16), ...throughputRows(many, 64), ...latencyRows(latency)];
    } finally {
      await nginx?.stop();
    }
  });
}

/** A model that the mock upstream serves. */
export function mockModel(url: string): ModelDefinition {
  const target = { baseUrl: `${url}/v1`, apiKey: 'not checked', model: 'mock', weight: 1, timeoutSeconds: 60 };
  const named = { id: 'mock', aliases: [], ownedBy: 'bench', createdSeconds: 0 };
  return { ...named, task: 'embeddings', servedBy: { targets: [target] } };
}

/** The requests of OpenAI's SDKs. */
export function embeddingsRequests(keys: readonly string[]): Load['requests'] {
  return makeSentences(keys.length).map((input, index) => ({
    method: 'POST',
    path: '/v1/embeddings',
    headers: { authorization: `Bearer ${keys[index]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock', input, encoding_format: 'base64' }),
  }));
}

function throughputRows({ figures, cpu }: Throughput<Contender>, connections: number): Row[] {
  const row = (other: Contender, name: string, explanation: string, target?: { min: number }) =>
    ratioRow(
      {
        what: `POST /v1/embeddings forwarded to an upstream, ${connections} connections`,
        measured: quantity(median(figures.service), 'requests/s'),
        against: `${name}: ${quantity(median(figures[other]), 'requests/s')}`,
        explanation,
      },
      medianRatio(figures.service, figures[other]),
      target,
    );
  return [
    row(
      'bare',
      'bare Fastify + undici',
      'A mock upstream that returns one vector in base64. Each request is authenticated, logged, and its usage recorded in PostgreSQL before the response ends, against Fastify that only streams both bodies through undici. Load generator, proxy, upstream and database share the processors.',
      { min: 0.8 },
    ),
    ...(figures.nginx === undefined ? [] : [row('nginx', 'nginx', 'The same against nginx as a plain reverse proxy.')]),
    row('direct', 'upstream directly', 'The same against the mock upstream itself.'),
    ...cpuRows(cpu, connections),
  ];
}

/** Processor time varies less than throughput on a shared machine. */
function cpuRows(cpu: CpuMeter<Contender>, connections: number): Row[] {
  const [service, bare] = [cpu.perRequest('service'), cpu.perRequest('bare')];
  const ratio = cpu.ratio('service', 'bare');
  if (service === undefined || bare === undefined || ratio === undefined) return [];
  const comparison = {
    what: `CPU time of a forwarded request, ${connections} connections`,
    measured: quantity(service.own, 'µs'),
    against: `bare Fastify + undici: ${quantity(bare.own, 'µs')}`,
    explanation: 'The processor time of the process in the same rounds, divided by its requests, without PostgreSQL.',
  };
  const database = {
    what: `CPU time of a forwarded request in PostgreSQL, ${connections} connections`,
    explanation: 'The processor time of all PostgreSQL processes in the rounds of Keycard, divided by its requests.',
  };
  return [ratioRow(comparison, ratio, { max: 1.3 }), valueRow(database, service.database, 20, 'µs')];
}

async function measureLatency(
  probe: Child,
  urls: Urls & { service: string },
  requests: Load['requests'],
  requestsPerSecond: number,
): Promise<{ p50: number; p99: number; requestsPerSecond: number }> {
  const [request] = requests;
  const measure = (url = '') => {
    const { headers, body } = request as Pick<Probe, 'headers' | 'body'>;
    const pace = { connections: 16, requestsPerSecond, seconds: roundSeconds };
    const task: Probe = { url, method: 'POST', path: '/v1/embeddings', headers, body, ...pace };
    return probe.run<ProbeResult>(task);
  };
  const added: { p50: number[]; p99: number[] } = { p50: [], p99: [] };
  for (let round = 0; round < latencyRounds; round += 1) {
    const direct = await measure(urls.direct);
    const service = await measure(urls.service);
    added.p50.push(service.p50Milliseconds - direct.p50Milliseconds);
    added.p99.push(service.p99Milliseconds - direct.p99Milliseconds);
  }
  return { p50: median(added.p50), p99: median(added.p99), requestsPerSecond };
}

function latencyRows({ p50, p99, requestsPerSecond }: { p50: number; p99: number; requestsPerSecond: number }): Row[] {
  const explanation = `At ${quantity(requestsPerSecond, 'requests/s')}, half of the throughput of 16 connections: the percentile through Keycard minus the one without it.`;
  return [
    valueRow({ what: 'Added latency at half load, p50', explanation }, p50, 1, 'ms'),
    valueRow({ what: 'Added latency at half load, p99', explanation }, p99, 5, 'ms'),
  ];
}
