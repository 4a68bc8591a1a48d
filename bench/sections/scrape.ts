import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys } from '../data/keys.js';
import { type Child, withChildren } from '../processes/child.js';
import { findFreePort } from '../processes/external-server.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';
import type { Listening } from '../servers/keycard.js';
import { startService } from './instances.js';

const models = ['mock', 'small', 'large', 'multilingual', 'code'];
const connections = 16;
const trafficSeconds = 4;
const scrapes = 50;
/** Between two scrapes, in milliseconds. */
const pause = 20;
const maxMilliseconds = 10;
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
};

/** Measures how long Prometheus waits for metrics. */
export function measureScrape(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, upstream }) => {
    const { url: upstreamUrl } = await upstream.run<Listening>({});
    const keys = await insertKnownKeys(database.client);
    const rows: Row[] = [];
    for (const workers of ['1', '2'] as const) {
      const metricsPort = await findFreePort();
      const service = await startService(database, workers, upstreamUrl, { models, metricsPort });
      try {
        await sendTraffic(generator, service.url, keys);
        rows.push(toRow(workers, await measure(`http://127.0.0.1:${metricsPort}/metrics`)));
      } finally {
        await service.stop();
      }
    }
    return rows;
  });
}

/** Uses all models, so that there are series of each. */
async function sendTraffic(generator: Child, url: string, keys: readonly string[]): Promise<void> {
  const requests = keys.map((key, index) => ({
    method: 'POST' as const,
    path: '/v1/embeddings',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: models[index % models.length], input: 'red apples' }),
  }));
  await generator.run<LoadResult>({ url, connections, seconds: trafficSeconds, requests } satisfies Load);
  // Routes and statuses of a dashboard, and of a wrong key.
  for (const path of ['/api-keys', '/usage', '/audit-events', '/auth/me', '/v1/models', '/health/ready', '/unknown']) {
    await (await fetch(`${url}${path}`)).arrayBuffer();
  }
}

async function measure(metricsUrl: string): Promise<number[]> {
  const figures: number[] = [];
  for (let scrape = 0; scrape < scrapes; scrape += 1) {
    const start = performance.now();
    const response = await fetch(metricsUrl);
    await response.text();
    if (!response.ok) throw new Error(`GET ${metricsUrl} returned ${response.status}.`);
    figures.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return figures;
}

function toRow(workers: '1' | '2', figures: readonly number[]): Row {
  const what = `GET /metrics, ${models.length} models, ${workers === '1' ? '1 worker' : `${workers} workers`}`;
  const explanation = `Prometheus' request for metrics, after ${trafficSeconds} seconds of requests to all models; the median of ${scrapes}.`;
  return valueRow({ what, explanation }, median(figures), maxMilliseconds, 'ms');
}
