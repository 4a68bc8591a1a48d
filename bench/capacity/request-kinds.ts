import type pg from 'pg';
import { maxLimit } from '../../src/common/rules/limit-rules.js';
import { insertKnownKeys, insertOrganizations, limitKeys, limitOrganizationOf } from '../data/keys.js';
import type { Load } from '../processes/load-generator.js';
import { embeddingsRequests } from '../data/embeddings-requests.js';

/** A kind of request whose costs differ from those of others. */
export interface RequestKind {
  name: string;
  requests: Load['requests'];
}

/** How the streams of the upstream come. Their requests share statements less than others. */
export const streamSettings = { events: 20, millisecondsBetween: 10 };
export const streamKind = `stream of ${streamSettings.events} events`;

const manyKeys = 10_000;
const manyOrganizations = 100_000;
const limits = [{ metric: 'requests', per: 'minute', max: maxLimit }] as const;

/** Creates keys for each kind of request, without limits and with ones that nothing here reaches. */
export async function prepareKinds(client: pg.Client): Promise<RequestKind[]> {
  const plain = await insertKnownKeys(client);
  const limited = await insertKnownKeys(client);
  await limitKeys(client, limited, limits);
  const ofLimitedOrganization = await insertKnownKeys(client);
  await limitOrganizationOf(client, ofLimitedOrganization, limits);
  const ofLargeOrganization = await insertKnownKeys(client, manyKeys);
  await limitOrganizationOf(client, ofLargeOrganization, limits);
  const ofManyOrganizations = await insertOrganizations(client, manyOrganizations);
  await client.query('vacuum analyze');
  const one = (keys: readonly string[]) => keys.slice(0, 1000).map(() => keys[0] ?? '');
  const get = (path: string, keys: readonly string[]): Load['requests'] =>
    keys.map((key) => ({ path, headers: { authorization: `Bearer ${key}` } }));
  return [
    { name: 'lookup', requests: get('/v1/models', plain) },
    { name: 'plain', requests: embeddingsRequests(plain) },
    { name: streamKind, requests: streamRequests(plain) },
    { name: 'authorize', requests: get('/v1/authorize', plain) },
    { name: 'limited key', requests: embeddingsRequests(limited) },
    { name: 'limited organization', requests: embeddingsRequests(ofLimitedOrganization) },
    { name: 'one key', requests: embeddingsRequests(one(plain)) },
    { name: 'one limited key', requests: embeddingsRequests(one(limited)) },
    { name: 'limited organization with 10,000 keys', requests: embeddingsRequests(ofLargeOrganization) },
    { name: '100,000 organizations', requests: embeddingsRequests(ofManyOrganizations) },
  ];
}

function streamRequests(keys: readonly string[]): Load['requests'] {
  const body = JSON.stringify({ model: 'stream', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
  return keys.map((key) => ({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  }));
}
