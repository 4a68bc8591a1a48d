import { setTimeout } from 'node:timers/promises';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertKnownKeys, organizationOf } from '../data/keys.js';
import { drawPages, ocrRequestBody } from '../data/pages.js';
import { makeSentences } from '../data/sentences.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import { median } from '../rounds.js';
import { quantity, ratioRow, type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const rounds = 3;
const probeSeconds = 3;
/** Hashing a password takes 17 ms of CPU time: with many more sign-ins, they would queue even when idle. */
const requestsPerSecond = { 'sign-in': 10, listing: 40, embeddings: 40 };
/** Several times the engine's workers, so that pages always queue. */
const readers = 8;
const pagesOfDocument = 4;
/** More documents than fit in the engine's queue. */
const crowdSize = 80;
const rejectionCount = 40;
const credentials = { email: 'overload@example.com', password: 'correct horse battery staple' };

const scripts = {
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

type Route = 'sign-in' | 'listing' | 'embeddings';
type Request = Pick<Probe, 'method' | 'path' | 'headers' | 'body'>;

/** Measures other requests while documents are read continuously. */
export function measureOverload(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ probe, service }) => {
    const settings: KeycardSettings = { database: database.connection };
    const { url } = await service.run<Listening>(settings);
    const [key = ''] = await insertKnownKeys(database.client);
    const routes = await routesOf(database, key);
    const body = await ocrRequestBody(await drawPages(pagesOfDocument));
    for (const [name, request] of Object.entries(routes) as [Route, Request][]) {
      await measureP95(probe, url, request, requestsPerSecond[name]);
    }

    const figures = { idle: newFigures(), busy: newFigures() };
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, request] of Object.entries(routes) as [Route, Request][]) {
        figures.idle[name].push(await measureP95(probe, url, request, requestsPerSecond[name]));
      }
      const stopReading = await readContinuously(url, key, body);
      for (const [name, request] of Object.entries(routes) as [Route, Request][]) {
        figures.busy[name].push(await measureP95(probe, url, request, requestsPerSecond[name]));
      }
      await stopReading();
    }
    const rejections = await measureRejections(url, key);
    return [
      ...(Object.keys(routes) as Route[]).map((name) => toRow(name, figures.idle[name], figures.busy[name])),
      rejectionRow(rejections),
    ];
  });
}

const newFigures = (): Record<Route, number[]> => ({ 'sign-in': [], listing: [], embeddings: [] });

async function routesOf({ client }: BenchDatabase, key: string): Promise<Record<Route, Request>> {
  const token = await insertMember(client, await organizationOf(client, key), { credentials });
  const json = { 'content-type': 'application/json' };
  const [input] = makeSentences(1);
  return {
    'sign-in': { method: 'POST', path: '/auth/sign-in', headers: json, body: JSON.stringify(credentials) },
    listing: { method: 'GET', path: '/api-keys', headers: { authorization: `Bearer ${token}` } },
    embeddings: {
      method: 'POST',
      path: '/v1/embeddings',
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'universal-sentence-encoder-lite', input }),
    },
  };
}

async function measureP95(probe: Child, url: string, request: Request, pace: number): Promise<number> {
  const task: Probe = { url, ...request, connections: 4, requestsPerSecond: pace, seconds: probeSeconds };
  return (await probe.run<ProbeResult>(task)).p95Milliseconds;
}

/** Keeps all workers of the engine busy until the returned function is called. */
async function readContinuously(url: string, key: string, body: string): Promise<() => Promise<void>> {
  const controller = new AbortController();
  const { signal } = controller;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const read = async () => {
    const response = await fetch(`${url}/v1/ocr`, { method: 'POST', headers, body, signal });
    await response.text();
    if (!response.ok) throw new Error(`Reading a document returned ${response.status}.`);
  };
  const keepReading = async () => {
    try {
      while (!signal.aborted) await read();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  // The first response shows that the engine has started.
  await read();
  const others = Array.from({ length: readers }, keepReading);
  return async () => {
    controller.abort();
    await Promise.all(others);
  };
}

function toRow(route: Route, idle: readonly number[], busy: readonly number[]): Row {
  const comparison = {
    what: `p95 of ${route} while documents are read`,
    measured: quantity(median(busy), 'ms'),
    against: `idle: ${quantity(median(idle), 'ms')}`,
    explanation: `${requestsPerSecond[route]} requests/s, while ${readers} clients send scanned documents of ${pagesOfDocument} pages to the same service continuously, against the same requests without them.`,
  };
  return ratioRow(comparison, median(busy) / median(idle), { max: 2 });
}

/** Measures rejections while the queue is full, in milliseconds. */
async function measureRejections(url: string, key: string): Promise<number[]> {
  const body = await ocrRequestBody(await drawPages(1));
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (signal?: AbortSignal) => fetch(`${url}/v1/ocr`, { method: 'POST', headers, body, signal });
  let rejectedCount = 0;
  // Rejected clients retry, so that the queue stays full.
  const sendContinuously = async () => {
    while (!controller.signal.aborted) {
      const { status } = await send(controller.signal);
      if (status === 503) rejectedCount += 1;
      await setTimeout(50);
    }
  };
  const clients = Array.from({ length: crowdSize }, sendContinuously);
  while (rejectedCount === 0) await setTimeout(10);
  const milliseconds: number[] = [];
  while (milliseconds.length < rejectionCount) {
    const start = performance.now();
    // Aborts requests that are accepted.
    const status = await send(AbortSignal.timeout(1000)).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => undefined,
    );
    if (status === 503) milliseconds.push(performance.now() - start);
  }
  controller.abort();
  await Promise.allSettled(clients);
  return milliseconds;
}

function rejectionRow(milliseconds: readonly number[]): Row {
  const sorted = milliseconds.toSorted((left, right) => left - right);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
  const explanation = `${rejectionCount} one-page documents, one at a time, each sent while the engine's queue is full: from sending to the end of the 503 response.`;
  return valueRow({ what: 'Rejection of a document when the queue is full, p95', explanation }, p95, 50, 'ms');
}
