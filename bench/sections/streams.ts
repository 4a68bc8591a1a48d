import { readFileSync } from 'node:fs';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import { CpuMeter } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { portkeyHeaders, startPortkey } from '../peers/portkey.js';
import { type Child, withChildren } from '../processes/child.js';
import type { ExternalServer } from '../processes/external-server.js';
import { startNginx } from '../processes/nginx.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import type { StreamLoad, StreamResult } from '../processes/stream-readers.js';
import { median } from '../rounds.js';
import { quantity, ratioRow, type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const rounds = 3;
const streams = 200;
/** So few that processors are idle most of the time, as they should be in production. */
const delayedStreams = 50;
const manyStreams = 1000;
const events = 100;
const millisecondsBetween = 20;
const slowMilliseconds = 200;

const scripts = {
  readers: new URL('../processes/stream-readers.js', import.meta.url),
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  upstream: new URL('../servers/stream-upstream.js', import.meta.url),
  slowUpstream: new URL('../servers/stream-upstream.js', import.meta.url),
  pipe: new URL('../servers/pipe-proxy.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

type Contender = 'direct' | 'pipe' | 'nginx' | 'service' | 'portkey';
type Delays = Record<'direct' | 'service', StreamResult[]>;

/** Measures streams of chat completions: the cost of each event, its delay, and the memory of many streams. */
export function measureStreams(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ readers, probe, upstream, slowUpstream, pipe, service }) => {
    const direct = await upstream.run<Listening>({ events, millisecondsBetween });
    const slow = await slowUpstream.run<Listening>({ events: 50, millisecondsBetween: slowMilliseconds });
    const models = [streamModel('mock', direct.url), streamModel('slow', slow.url)];
    const settings: KeycardSettings = { database: database.connection, models };
    const keycard = await service.run<Listening>(settings);
    const bare = await pipe.run<Listening>({ upstreamUrl: direct.url });
    const [key = ''] = await insertKnownKeys(database.client);
    const servers: (ExternalServer | undefined)[] = [];
    try {
      const nginx = await startNginx(direct.url);
      const portkey = await startPortkey();
      servers.push(nginx, portkey);
      const load = (url: string, headers = {}): StreamLoad => ({ url, headers, body: bodyOf('mock'), streams });
      const authorization = `Bearer ${key}`;
      const loads: Partial<Record<Contender, StreamLoad>> = {
        direct: load(direct.url),
        pipe: load(bare.url),
        ...(nginx && { nginx: load(nginx.url) }),
        ...(portkey && { portkey: load(portkey.url, { ...portkeyHeaders(direct.url), authorization }) }),
        service: load(keycard.url, { authorization }),
      };
      const contenders = { pipe: pipe.pid, nginx: nginx?.pid, portkey: portkey?.pid, service: service.pid };
      const meter = new CpuMeter<Contender>({ contenders, postmaster: await findPostmaster(database.client) });
      await measureRounds(readers, loads, meter);
      const delays = await measureDelays(readers, loads);
      const many = await measureMany(readers, probe, service, {
        url: keycard.url,
        headers: { authorization },
        body: bodyOf('slow'),
        streams: manyStreams,
      });
      return [...costRows(meter), ...delayRows(delays), ...manyRows(many)];
    } finally {
      for (const server of servers) await server?.stop();
    }
  });
}

function streamModel(id: string, url: string): ModelDefinition {
  const target = { baseUrl: `${url}/v1`, apiKey: 'not checked', model: 'mock', weight: 1, timeoutSeconds: 600 };
  const named = { id, aliases: [], ownedBy: 'bench', createdSeconds: 0 };
  return { ...named, task: 'generation', maxOutputTokens: 1000, servedBy: { targets: [target] } };
}

const bodyOf = (model: string) =>
  JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Tell me a story.' }] });

async function measureRounds(
  readers: Child,
  loads: Partial<Record<Contender, StreamLoad>>,
  meter: CpuMeter<Contender>,
): Promise<void> {
  const entries = Object.entries(loads) as [Contender, StreamLoad][];
  for (const [, load] of entries) await readers.run<StreamResult>(load);
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, load] of round % 2 === 0 ? entries : entries.toReversed()) {
      await meter.measure(name, async () => {
        const result = await readers.run<StreamResult>(load);
        return { ...result, requests: result.events };
      });
    }
  }
}

async function measureDelays(readers: Child, loads: Partial<Record<Contender, StreamLoad>>): Promise<Delays> {
  const delays: Delays = { direct: [], service: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['direct', 'service'] as const) {
      const load = loads[name];
      if (load !== undefined) delays[name].push(await readers.run<StreamResult>({ ...load, streams: delayedStreams }));
    }
  }
  return delays;
}

/** What many streams at once do to the service. */
interface ManyStreams {
  /** Growth of the process while they run. */
  bytesPerStream: number;
  /** Growth that remains after them. */
  bytesLeftPerStream: number;
  /** Of other requests meanwhile. */
  otherP99Milliseconds: number;
}

async function measureMany(readers: Child, probe: Child, { pid }: Child, load: StreamLoad): Promise<ManyStreams> {
  if (pid === undefined) return { bytesPerStream: NaN, bytesLeftPerStream: NaN, otherP99Milliseconds: NaN };
  // The second time, what the first has allocated is used again.
  await readers.run<StreamResult>(load);
  const before = residentBytes(pid);
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, residentBytes(pid))), 100);
  const pace = { connections: 4, requestsPerSecond: 50, seconds: 8 };
  const task: Probe = { url: load.url, method: 'GET', path: '/v1/models', headers: load.headers, ...pace };
  const running = Promise.all([probe.run<ProbeResult>(task), readers.run<StreamResult>(load)]);
  const [others] = await running.finally(() => clearInterval(timer));
  return {
    bytesPerStream: (most - before) / load.streams,
    bytesLeftPerStream: (residentBytes(pid) - before) / load.streams,
    otherP99Milliseconds: others.p99Milliseconds,
  };
}

function residentBytes(pid: number): number {
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

function costRows(meter: CpuMeter<Contender>): Row[] {
  const service = meter.own('service');
  const row = (other: Contender, name: string, explanation: string, target?: { max: number }): Row[] => {
    const ratio = meter.ratio('service', other);
    if (ratio === undefined) return [];
    const comparison = {
      what: `CPU time of an event, ${streams} streams`,
      measured: quantity(service, 'µs'),
      against: `${name}: ${quantity(meter.own(other), 'µs')}`,
      explanation,
    };
    return [ratioRow(comparison, ratio, target)];
  };
  const all = `${streams} streams of ${events} events, one every ${millisecondsBetween} ms, each metered and renamed, and recorded before its end, against`;
  return [
    ...row('pipe', 'two sockets and a pipe', `${all} a proxy of Node that reads nothing.`, { max: 1.3 }),
    ...row('nginx', 'nginx', 'The same against nginx as a plain reverse proxy.'),
    ...row('portkey', 'Portkey', "The same against Portkey's gateway, which records nothing."),
  ];
}

function delayRows({ direct, service }: Delays): Row[] {
  const added = (read: (result: StreamResult) => number) => median(service.map(read)) - median(direct.map(read));
  const explanation = `With ${delayedStreams} streams, from sending an event at the upstream until its arrival at the client: the percentile through Keycard minus the one without it.`;
  return [
    valueRow(
      { what: 'Added delay of an event, p50', explanation },
      added((one) => one.p50Milliseconds),
      1,
      'ms',
    ),
    valueRow(
      { what: 'Added delay of an event, p99', explanation },
      added((one) => one.p99Milliseconds),
      10,
      'ms',
    ),
    valueRow(
      { what: 'Added delay of the first event, p50', explanation: 'The same, of the first event of each stream.' },
      added((one) => one.firstP50Milliseconds),
      5,
      'ms',
    ),
  ];
}

function manyRows({ bytesPerStream, bytesLeftPerStream, otherP99Milliseconds }: ManyStreams): Row[] {
  const growth = `The growth of the process while ${manyStreams} streams run at once, divided by their number; after it has served as many before.`;
  return [
    valueRow(
      { what: `Memory of a stream, ${manyStreams} at once`, explanation: growth },
      bytesPerStream / 1000,
      100,
      'kB',
    ),
    valueRow(
      { what: `Memory left by a stream, ${manyStreams} at once`, explanation: 'The same, after they have ended.' },
      bytesLeftPerStream / 1000,
      20,
      'kB',
    ),
    valueRow(
      { what: `GET /v1/models, p99, during ${manyStreams} streams`, explanation: 'At 50 requests/s.' },
      otherP99Milliseconds,
      100,
      'ms',
    ),
  ];
}
