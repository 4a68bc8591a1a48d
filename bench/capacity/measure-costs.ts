import { readFile } from 'node:fs/promises';
import { cpuSecondsOf } from '../cpu-time.js';
import type { Child } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import type { RecordedPauses } from '../processes/pause-recorder.js';
import { median } from '../rounds.js';
import { DatabaseMeter } from './database-meter.js';
import type { RequestKind } from './request-kinds.js';

const warmUpSeconds = 2;
const roundSeconds = 2;
const rounds = 5;

/** What one request costs. Times are in microseconds. */
export interface Costs {
  requestsPerSecond: number;
  p99Milliseconds: number;
  keycard: number;
  postgres: number;
  generator: number;
  upstream: number;
  walBytes: number;
  lockWait: number;
  /** Statements that looked up its key, divided by requests. */
  lookups: number;
  /** Statements that recorded its usage, divided by requests. */
  writes: number;
  /** Requests between pauses of Keycard to collect garbage. */
  requestsPerPause: number;
  /** Of an average one. */
  pause: number;
}

/** A running service and what surrounds it. */
export interface Setup {
  url: string;
  metricsUrl: string;
  /** `RecordedPauses` of the service. */
  pausesFile: string;
  meter: DatabaseMeter;
  generator: Child;
  processes: Record<'keycard' | 'postgres' | 'generator' | 'upstream', number | undefined>;
}

/** Measures the costs of one kind of request: medians of several rounds. */
export async function measureCosts(setup: Setup, kind: RequestKind, connections: number): Promise<Costs> {
  await generate(setup, kind, connections, warmUpSeconds);
  const found: Costs[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await measureOnce(setup, kind, connections));
  const costs = medianCosts(found);
  console.log(`  ${kind.name}, ${connections} connections: ${Math.round(costs.requestsPerSecond)} requests/s`);
  return costs;
}

function medianCosts(found: readonly Costs[]): Costs {
  const of = (name: keyof Costs) => median(found.map((costs) => costs[name]));
  return {
    requestsPerSecond: of('requestsPerSecond'),
    p99Milliseconds: of('p99Milliseconds'),
    keycard: of('keycard'),
    postgres: of('postgres'),
    generator: of('generator'),
    upstream: of('upstream'),
    walBytes: of('walBytes'),
    lockWait: of('lockWait'),
    lookups: of('lookups'),
    writes: of('writes'),
    requestsPerPause: of('requestsPerPause'),
    pause: of('pause'),
  };
}

/** Measures the costs of one kind of request for some seconds. */
export async function measureOnce(
  setup: Setup,
  kind: RequestKind,
  connections: number,
  seconds = roundSeconds,
): Promise<Costs> {
  const before = await readCounters(setup);
  const { result, work } = await setup.meter.measure(() => generate(setup, kind, connections, seconds));
  const after = await readCounters(setup);
  const perRequest = (name: keyof Counters, scale = 1) => ((after[name] - before[name]) * scale) / result.requests;
  return {
    requestsPerSecond: result.requestsPerSecond,
    p99Milliseconds: result.p99Milliseconds,
    keycard: perRequest('keycard', 1e6),
    postgres: perRequest('postgres', 1e6),
    generator: perRequest('generator', 1e6),
    upstream: perRequest('upstream', 1e6),
    walBytes: work.walBytes / result.requests,
    lockWait: (work.lockSeconds * 1e6) / result.requests,
    lookups: perRequest('lookups'),
    writes: perRequest('writes'),
    requestsPerPause: Math.round(1 / perRequest('pauses')),
    pause: perRequest('pauseMilliseconds', 1000) / perRequest('pauses'),
  };
}

function generate({ url, generator }: Setup, { requests }: RequestKind, connections: number, seconds: number) {
  return generator.run<LoadResult>({ url, connections, seconds, requests } satisfies Load);
}

type Counters = Record<keyof Setup['processes'] | 'lookups' | 'writes' | 'pauses' | 'pauseMilliseconds', number>;

async function readCounters({ metricsUrl, pausesFile, processes }: Setup): Promise<Counters> {
  const text = await (await fetch(metricsUrl)).text();
  const counter = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
  const pauses = JSON.parse(await readFile(pausesFile, 'utf8')) as RecordedPauses;
  const cpu = (pid: number | undefined) => (pid === undefined ? NaN : (cpuSecondsOf(pid) ?? NaN));
  return {
    keycard: cpu(processes.keycard),
    postgres: cpu(processes.postgres),
    generator: cpu(processes.generator),
    upstream: cpu(processes.upstream),
    lookups: counter('keycard_verification_batches_total'),
    writes: counter('keycard_usage_writes_total'),
    pauses: pauses.count,
    pauseMilliseconds: pauses.milliseconds,
  };
}
