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
/** Hashing a password takes a processor for 17 ms: many more sign-ins would wait for each other even when idle. */
const requestsPerSecond = { 'sign-in': 10, listing: 40, embeddings: 40 };
/** Several times as many as the engine has workers, so that pages always wait. */
const readers = 8;
const pagesOfDocument = 4;
/** More documents than the engine lets wait. */
const crowd = 80;
const refusalCount = 40;
const credentials = { email: 'overload@example.com', password: 'correct horse battery staple' };

const scripts = {
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

type Route = 'sign-in' | 'listing' | 'embeddings';
type Request = Pick<Probe, 'method' | 'path' | 'headers' | 'body'>;

/** What everybody else notices while documents are read without pause. */
export function measureOverload(database: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ probe, service }) => {
    const settings: KeycardSettings = { database: database.connection };
    const { url } = await service.ask<Listening>(settings);
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
      const stopReading = await readWithoutPause(url, key, body);
      for (const [name, request] of Object.entries(routes) as [Route, Request][]) {
        figures.busy[name].push(await measureP95(probe, url, request, requestsPerSecond[name]));
      }
      await stopReading();
    }
    const refusals = await measureRefusals(url, key);
    return [
      ...(Object.keys(routes) as Route[]).map((name) => toRow(name, figures.idle[name], figures.busy[name])),
      refusalRow(refusals),
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
  const question: Probe = { url, ...request, connections: 4, requestsPerSecond: pace, seconds: probeSeconds };
  return (await probe.ask<ProbeResult>(question)).p95Milliseconds;
}

/** Keeps all workers of the engine busy from the moment it returns until it is stopped. */
async function readWithoutPause(url: string, key: string, body: string): Promise<() => Promise<void>> {
  const controller = new AbortController();
  const { signal } = controller;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const read = async () => {
    const response = await fetch(`${url}/v1/ocr`, { method: 'POST', headers, body, signal });
    await response.text();
    if (!response.ok) throw new Error(`Reading a document was answered ${response.status}.`);
  };
  const readOn = async () => {
    try {
      while (!signal.aborted) await read();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  // The first answer shows that the engine has started.
  await read();
  const others = Array.from({ length: readers }, readOn);
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
    explanation: `${requestsPerSecond[route]} requests/s, while ${readers} clients have scanned documents of ${pagesOfDocument} pages read without pause by the same service, against the same with nothing else to do.`,
  };
  return ratioRow(comparison, median(busy) / median(idle), { most: 2 });
}

/** How long a refusal takes when no more documents may wait, in milliseconds. */
async function measureRefusals(url: string, key: string): Promise<number[]> {
  const body = await ocrRequestBody(await drawPages(1));
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (signal?: AbortSignal) => fetch(`${url}/v1/ocr`, { method: 'POST', headers, body, signal });
  let refusedCount = 0;
  // Whoever is refused comes back, so that the queue stays full.
  const crowdIn = async () => {
    while (!controller.signal.aborted) {
      const { status } = await send(controller.signal);
      if (status === 503) refusedCount += 1;
      await setTimeout(50);
    }
  };
  const crowding = Array.from({ length: crowd }, crowdIn);
  while (refusedCount === 0) await setTimeout(10);
  const milliseconds: number[] = [];
  while (milliseconds.length < refusalCount) {
    const start = performance.now();
    // One that is admitted after all is given up.
    const status = await send(AbortSignal.timeout(1000)).then(
      async (response) => (await response.arrayBuffer(), response.status),
      () => undefined,
    );
    if (status === 503) milliseconds.push(performance.now() - start);
  }
  controller.abort();
  await Promise.allSettled(crowding);
  return milliseconds;
}

function refusalRow(milliseconds: readonly number[]): Row {
  const sorted = milliseconds.toSorted((left, right) => left - right);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
  const explanation = `${refusalCount} documents of one page, one after the other, each sent while the engine's queue was full: from sending to the end of the answer 503.`;
  return valueRow({ what: 'Refusal of a document when the queue is full, p95', explanation }, p95, 50, 'ms');
}
