import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertKnownKeys, organizationOf } from '../data/keys.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Probe, ProbeResult } from '../processes/latency-probe.js';
import { measureInRounds, median, medianRatio } from '../rounds.js';
import { quantity, ratioRow, type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import type { ReceiverTask } from '../servers/webhook-receiver.js';
import { mockModel } from '../data/embeddings-requests.js';

const organizationCount = 50;
const webhooksEach = 20;
const hangingCount = 10;
const quickCount = organizationCount * webhooksEach - hangingCount;
const changesEach = 5;
const rounds = 7;
const warmUpSeconds = 2;
const roundSeconds = 3;
const requestsPerSecond = 50;

const scripts = {
  probe: new URL('../processes/latency-probe.js', import.meta.url),
  receiver: new URL('../servers/webhook-receiver.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  service: new URL('../servers/keycard.js', import.meta.url),
};

type Request = Pick<Probe, 'method' | 'path' | 'headers' | 'body'>;

/** Measures how much receivers that never respond delay events of others, and requests. */
export function measureWebhooks({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ probe, receiver, upstream, service }) => {
    const receiverUrl = (await tell<Listening>(receiver, { kind: 'listen' })).url;
    const models = [mockModel((await upstream.run<Listening>({})).url)];
    const settings: KeycardSettings = { database: connection, models, webhookAllowedNetworks: ['127.0.0.0/8'] };
    const { url } = await service.run<Listening>(settings);
    const delays = await measureDelays(client, url, receiver, receiverUrl);
    await removeWebhooks(client, receiver);

    const [key = ''] = await insertKnownKeys(client);
    const organizationId = await organizationOf(client, key);
    const token = await insertMember(client, organizationId, { permissions: ['create-roles', 'get-roles'] });
    const requests = requestsOf(token, key);
    const measure = async (request: Request, seconds = roundSeconds) => {
      const task: Probe = { url, ...request, connections: 4, requestsPerSecond, seconds };
      return (await probe.run<ProbeResult>(task)).p50Milliseconds;
    };
    const measureWhileHanging = async (request: Request) => {
      await insertWebhooks(client, organizationId, hangingUrls(receiverUrl));
      await createRole(url, token);
      await tell(receiver, { kind: 'collect', events: 0, hanging: hangingCount });
      const figure = await measure(request);
      await removeWebhooks(client, receiver);
      return figure;
    };
    for (const request of Object.values(requests)) await measure(request, warmUpSeconds);
    const figures = await measureInRounds(rounds, {
      list: () => measure(requests.list),
      listWhileHanging: () => measureWhileHanging(requests.list),
      embed: () => measure(requests.embed),
      embedWhileHanging: () => measureWhileHanging(requests.embed),
    });
    return [
      delayRow(delays),
      latencyRow('GET /roles', figures.listWhileHanging, figures.list),
      latencyRow('POST /v1/embeddings', figures.embedWhileHanging, figures.embed),
    ];
  });
}

const tell = <Result>(receiver: Child, task: ReceiverTask) => receiver.run<Result>(task);

const hangingUrls = (receiverUrl: string) =>
  Array.from({ length: hangingCount }, (_, index) => `${receiverUrl}/hanging/${index}`);

/** In milliseconds. One change per organization at a time, for all of its webhooks. */
async function measureDelays(client: pg.Client, url: string, receiver: Child, receiverUrl: string): Promise<number[]> {
  const tokens: string[] = [];
  for (let index = 0; index < organizationCount; index += 1) {
    const quick = Array.from({ length: webhooksEach }, (_, number) => `${receiverUrl}/quick/${index}/${number}`);
    const hanging = hangingUrls(receiverUrl).slice(index, index + 1);
    const organizationId = uuidv7();
    const name = `With webhooks ${index}`;
    await client.query('insert into organizations (id, name) values ($1, $2)', [organizationId, name]);
    await insertWebhooks(client, organizationId, [...hanging, ...quick.slice(hanging.length)]);
    tokens.push(await insertMember(client, organizationId, { permissions: ['create-roles'] }));
  }
  const delays: number[] = [];
  for (let change = 0; change < changesEach; change += 1) {
    // The first change makes ten receivers hang, for longer than this takes.
    const hanging = change === 0 ? hangingCount : 0;
    const collected = tell<number[]>(receiver, { kind: 'collect', events: quickCount, hanging });
    for (const token of tokens) await createRole(url, token);
    delays.push(...(await collected));
  }
  return delays;
}

function requestsOf(token: string, key: string): Record<'list' | 'embed', Request> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return {
    list: { method: 'GET', path: '/roles', headers: { authorization: `Bearer ${token}` } },
    embed: {
      method: 'POST',
      path: '/v1/embeddings',
      headers,
      body: JSON.stringify({ model: 'mock', input: 'A text.' }),
    },
  };
}

async function removeWebhooks(client: pg.Client, receiver: Child): Promise<void> {
  await client.query('delete from webhooks');
  await tell(receiver, { kind: 'hang-up' });
}

async function insertWebhooks(client: pg.Client, organizationId: string, urls: readonly string[]): Promise<void> {
  await client.query(
    `insert into webhooks (id, organization_id, url, secret)
     select id, $1, url, $4 from unnest($2::uuid[], $3::text[]) as added (id, url)`,
    [organizationId, urls.map(() => uuidv7()), urls, randomBytes(32)],
  );
}

/** Publishes an event of type `role.created`. */
async function createRole(url: string, token: string): Promise<void> {
  const response = await fetch(`${url}/roles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Role ${uuidv7()}`, permissions: [] }),
  });
  if (response.status !== 201) throw new Error(`POST /roles returned ${response.status}: ${await response.text()}`);
}

function delayRow(delays: readonly number[]): Row {
  const sorted = delays.toSorted((left, right) => left - right);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
  const all = (organizationCount * webhooksEach).toLocaleString('en-US');
  const what = `Delivery to ${quickCount} of ${all} webhooks while the others hang, p95`;
  const explanation = `From the change to the arrival of its event: ${changesEach} changes in each of ${organizationCount} organizations with ${webhooksEach} webhooks. ${hangingCount} webhooks never get a response.`;
  return valueRow({ what, explanation }, p95 / 1000, 2, 's');
}

function latencyRow(route: string, hanging: readonly number[], idle: readonly number[]): Row {
  const comparison = {
    what: `p50 of ${route} while ${hangingCount} receivers hang`,
    measured: quantity(median(hanging), 'ms'),
    against: `without them: ${quantity(median(idle), 'ms')}`,
    explanation: `${requestsPerSecond} requests/s of an organization, while ${hangingCount} webhooks of the same organization wait for a response, against the same requests without webhooks.`,
  };
  return ratioRow(comparison, medianRatio(hanging, idle), { max: 1.1 });
}
