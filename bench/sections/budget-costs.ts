import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { Limit } from '../../src/limits/limit.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertKnownKeys, limitKeys } from '../data/keys.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row, valueRow } from '../row.js';
import { embeddingsRequests, mockModel } from '../data/embeddings-requests.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const connections = 64;
const chatConnections = 4;
const rounds = 7;
/** Long enough that the first requests after a pause, for which nothing is remembered, are a small part. */
const seconds = 4;
const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

/** More than the benchmark can use. */
const money: Limit = { metric: 'cost', per: 'month', max: '1000000000000000000', notifyAt: [80] };
/** Limits of a key, and how they're called. */
const kinds: readonly (readonly [name: string, limits: readonly Limit[]])[] = [
  ['a budget in money', [money]],
  [
    'budgets in tokens and money, and a limit per minute',
    [money, { metric: 'tokens', per: 'month', max: 1e12 }, { metric: 'requests', per: 'minute', max: 1e12 }],
  ],
];
const price = { perMillionTokens: { input: '0.02', output: '0.08' } };

/** Measures what budgets in tokens and money add to a request. */
export function measureBudgetCosts({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ generator, probe, upstream, service }) => {
    const unlimited = (await insertKnownKeys(client)).slice(0, connections);
    const embeddings = { ...mockModel((await upstream.run<Listening>({})).url), price };
    const chat: ModelDefinition = {
      ...embeddings,
      id: 'chat',
      task: 'generation',
      routes: ['chat/completions'],
      maxOutputTokens: 4096,
    };
    const settings: KeycardSettings = { database: connection, models: [embeddings, chat] };
    const { url } = await service.run<Listening>(settings);
    const rows: Row[] = [];
    for (const [name, limits] of kinds) {
      const limited = (await insertKnownKeys(client)).slice(0, connections);
      await limitKeys(client, limited, limits);
      const chatKeys = { limited: limited[0] ?? '', unlimited: unlimited[0] ?? '' };
      rows.push(await measureEmbeddings(generator, { url, name }, { limited, unlimited }));
      rows.push(await measureChat(probe, { url, name }, chatKeys));
    }
    return rows;
  });
}

/** A service, and what its keys are limited by. */
interface Measured {
  readonly url: string;
  readonly name: string;
}

async function measureEmbeddings(
  generator: Child,
  { url, name }: Measured,
  keys: Record<'limited' | 'unlimited', readonly string[]>,
): Promise<Row> {
  const load = (own: readonly string[]) => async () => {
    const task: Load = { url, connections, seconds, requests: embeddingsRequests(own) };
    return (await generator.run<LoadResult>(task)).requestsPerSecond;
  };
  const loads = { limited: load(keys.limited), unlimited: load(keys.unlimited) };
  for (const warmUp of Object.values(loads)) await warmUp();
  const { limited, unlimited } = await measureInRounds(rounds, loads);
  return ratioRow(
    {
      what: `POST /v1/embeddings with ${name}, ${connections} connections and keys`,
      measured: quantity(median(limited), 'requests/s'),
      against: `without limits: ${quantity(median(unlimited), 'requests/s')}`,
      explanation:
        'The same service with keys that have these limits, against as many keys without limits. Each request is settled in the statement that records its usage.',
    },
    medianRatio(limited, unlimited),
    { min: 0.75 },
  );
}

async function measureChat(
  probe: Child,
  { url, name }: Measured,
  keys: Record<'limited' | 'unlimited', string>,
): Promise<Row> {
  const ask = (key: string) => async () => {
    const task: Probe = {
      ...{
        url,
        method: 'POST',
        path: '/v1/chat/completions',
        connections: chatConnections,
        requestsPerSecond: 0,
        seconds,
      },
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'Write a few words.' }] }),
    };
    return (await probe.run<ProbeResult>(task)).p50Milliseconds;
  };
  const contenders = { limited: ask(keys.limited), unlimited: ask(keys.unlimited) };
  for (const warmUp of Object.values(contenders)) await warmUp();
  const { limited, unlimited } = await measureInRounds(rounds, contenders);
  const added = limited.map((milliseconds, round) => milliseconds - (unlimited[round] ?? NaN));
  return valueRow(
    {
      what: `POST /v1/chat/completions with ${name}: added to p50, ${chatConnections} connections`,
      explanation: 'Median over rounds of the difference between a key with these limits and one without.',
    },
    median(added),
    1,
    'ms',
  );
}
