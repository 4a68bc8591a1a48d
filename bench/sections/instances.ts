import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { toUrl } from '../../test/setup/test-database.js';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { insertKnownKeys } from '../data/keys.js';
import { withChildren } from '../processes/child.js';
import { type ExternalServer, findFreePort, startExternalServer } from '../processes/external-server.js';
import { median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row } from '../row.js';
import { benchJwtSecret } from '../servers/bench-config.js';
import type { Listening } from '../servers/keycard.js';
import { measureThroughput, type Throughput } from '../throughput.js';
import { embeddingsRequests } from '../data/embeddings-requests.js';

const counts = ['1', '2', '4'] as const;
const connections = 64;
const rounds = 7;
/** Each worker compiles its code, with its part of the requests. */
const warmUpSeconds = 8;

type Workers = (typeof counts)[number];

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const pauseRecorder = new URL('../processes/pause-recorder.js', import.meta.url).href;
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
};

/** Measures what several workers gain, and what they cost. */
export function measureWorkers(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, upstream }) => {
    const { url: upstreamUrl } = await upstream.run<Listening>({});
    const requests = embeddingsRequests(await insertKnownKeys(database.client));
    const services: [Workers, ExternalServer][] = [];
    try {
      for (const workers of counts) services.push([workers, await startService(database, workers, upstreamUrl)]);
      const loads = Object.fromEntries(services.map(([workers, { url }]) => [workers, { url, requests }]));
      const contenders = Object.fromEntries(services.map(([workers, { pid }]) => [workers, pid]));
      const processes = { contenders, postmaster: await findPostmaster(database.client) };
      const settings = { loads, processes, connections, rounds, warmUpSeconds };
      return toRows(await measureThroughput<Workers>(generator, settings));
    } finally {
      for (const [, service] of services) await service.stop();
    }
  });
}

interface StartOptions {
  models?: string[];
  moreModels?: string;
  metricsPort?: number;
  pausesFile?: string;
}

/**
 * Starts the service as `npm start` runs it.
 *
 * @param options.models ids of models of the upstream
 * @param options.moreModels further lines of the models file
 * @param options.metricsPort metrics aren't collected by default
 * @param options.pausesFile where to keep `RecordedPauses`
 */
export async function startService(
  { connection }: BenchDatabase,
  workers: Workers,
  upstreamUrl: string,
  { models = ['mock'], moreModels = '', metricsPort, pausesFile }: StartOptions = {},
): Promise<ExternalServer> {
  const folder = await makeBenchFolder();
  const modelsFile = path.join(folder.path, 'models.yaml');
  const target = `{ baseUrl: '${upstreamUrl}/v1' }`;
  const entries = models.map((id) => `  - { id: ${id}, task: embeddings, targets: [${target}] }\n`);
  writeFileSync(modelsFile, `models:\n${entries.join('')}${moreModels}`);
  const port = await findFreePort();
  const environment = {
    PORT: String(port),
    WORKERS: workers,
    MODELS_FILE: modelsFile,
    DATABASE_URL: toUrl(connection),
    JWT_SECRET: benchJwtSecret,
    DRAIN_SECONDS: '0',
    ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort) }),
    ...(pausesFile !== undefined && { PAUSES_FILE: pausesFile }),
  };
  const preload = pausesFile === undefined ? [] : ['--import', pauseRecorder];
  const args = [...process.execArgv, ...preload, main];
  return startExternalServer({ command: process.execPath, args, port, folder: folder.path, environment });
}

function toRows({ figures, cpu }: Throughput<Workers>): Row[] {
  const name = (workers: Workers) => `${workers} ${workers === '1' ? 'worker' : 'workers'}`;
  const request = `POST /v1/embeddings forwarded to an upstream, ${connections} connections`;
  return (['2', '4'] as const).flatMap((workers) => {
    const throughput = {
      what: `${request}, ${name(workers)}`,
      measured: quantity(median(figures[workers]), 'requests/s'),
      against: `${name('1')}: ${quantity(median(figures['1']), 'requests/s')}`,
      explanation:
        'The service as `npm start` runs it, with `WORKERS` set, against the same with one process. Load generator, upstream and PostgreSQL share the processors with the workers: on a machine with two, a single worker already leaves little of them idle, and more workers compete with what drives and serves them.',
    };
    const rows = [ratioRow(throughput, medianRatio(figures[workers], figures['1']), undefined)];
    const [several, one] = [cpu.perRequest(workers), cpu.perRequest('1')];
    if (several === undefined || one === undefined) return rows;
    const cost = {
      what: `CPU time of a forwarded request, ${connections} connections, ${name(workers)}`,
      measured: `${quantity(several.own, 'µs')}, and ${quantity(several.database, 'µs')} in PostgreSQL`,
      against: `${name('1')}: ${quantity(one.own, 'µs')}, and ${quantity(one.database, 'µs')}`,
      explanation:
        'The processor time of the primary and all workers in the same rounds, divided by their requests. Requests of different workers do not share statements, so batches are smaller. The ratio is for the sums with PostgreSQL.',
    };
    rows.push(ratioRow(cost, (several.own + several.database) / (one.own + one.database), undefined));
    return rows;
  });
}
