import { type BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertFewKeys, insertManyKeys, ordinaryKeyCount } from '../data/many-keys.js';
import { withChildren } from '../processes/child.js';
import { median } from '../rounds.js';
import { quantity, ratioRow, type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

/** Enough to warm up the JIT compiler. */
const warmUpCalls = 100;
const calls = 41;
const perPage = 10;
const limitMilliseconds = 50;
const scripts = { service: new URL('../servers/keycard.js', import.meta.url) };

/** Pages of the organization with 100,000 keys, up to the last one. */
const pages = [
  { what: 'first page by createdAt', query: 'page=1' },
  { what: 'middle page by createdAt', query: 'page=5000' },
  { what: 'last page by createdAt', query: 'page=10000' },
  { what: 'first page by name', query: 'orderBy=name&order=ASC&page=1' },
  { what: 'middle page by name', query: 'orderBy=name&order=ASC&page=5000' },
  { what: 'last page by name', query: 'orderBy=name&order=ASC&page=10000' },
  { what: 'first page by expiresAt', query: 'orderBy=expiresAt&order=ASC&page=1' },
  { what: 'last page by expiresAt', query: 'orderBy=expiresAt&order=ASC&page=10000' },
  { what: 'first page by lastUsedAt', query: 'orderBy=lastUsedAt&page=1' },
  { what: 'last page by lastUsedAt', query: 'orderBy=lastUsedAt&page=10000' },
  { what: 'name filter with many matches, by createdAt', query: 'name=search&page=1000' },
  { what: 'name filter with many matches, by name', query: 'name=search&orderBy=name&order=ASC&page=1000' },
  { what: 'name filter without matches', query: 'name=nothing%20like%20it' },
];

/** Measures listing keys in a table with a million of them. */
export function measureListing({ client, connection }: BenchDatabase): Promise<Row[]> {
  return withChildren(scripts, async ({ service }) => {
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const { ordinaryOrganizationId, largeOrganizationId } = await insertFewKeys(client);
    const ordinary = { url, token: await insertMember(client, ordinaryOrganizationId) };
    const few = await measureMilliseconds(ordinary, 'page=1');
    await insertManyKeys(client);
    const many = await measureMilliseconds(ordinary, 'page=1');
    const large = { url, token: await insertMember(client, largeOrganizationId) };
    const rows = [growthRow(few, many)];
    for (const page of pages) rows.push(pageRow(page.what, await measureMilliseconds(large, page.query)));
    await limitKeys(client, largeOrganizationId);
    rows.push(overviewRow(await measure(large, '/overview')));
    return rows;
  });
}

interface Lister {
  url: string;
  token: string;
}

const measureMilliseconds = (lister: Lister, query: string) => measure(lister, `/api-keys?perPage=${perPage}&${query}`);

async function measure({ url, token }: Lister, path: string): Promise<number> {
  const figures: number[] = [];
  for (let call = 0; call < warmUpCalls + calls; call += 1) {
    const start = performance.now();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
    if (call >= warmUpCalls) figures.push(performance.now() - start);
  }
  return median(figures);
}

function growthRow(few: number, many: number): Row {
  const comparison = {
    what: 'GET /api-keys, page 1, 1,000,000 keys in 1,000 organizations',
    measured: quantity(many, 'ms'),
    against: `1,000 keys: ${quantity(few, 'ms')}`,
    explanation: `The first page of an organization with ${ordinaryKeyCount} keys in a table of 1,000,000 keys of 1,000 organizations, against the same request in a table of 1,000; over HTTP, one request at a time.`,
  };
  return ratioRow(comparison, many / few, { max: 2 });
}

/** Gives every twentieth key a budget, of which up to all is used. */
async function limitKeys(client: BenchDatabase['client'], organizationId: string): Promise<void> {
  await client.query(
    `with limited as (
       update api_keys set limits = '[{"metric": "requests", "per": "month", "max": 1000}]'
       where organization_id = $1 and hashtext(id::text) % 20 = 0 returning id, organization_id
     )
     insert into limit_counters (owner_id, metric, per, organization_id, level)
     select id, 'requests', 'month', organization_id, abs(hashtext(id::text)) % 1000 from limited`,
    [organizationId],
  );
  await client.query('vacuum analyze api_keys, limit_counters');
}

function overviewRow(milliseconds: number): Row {
  const explanation =
    'The same organization, in which every twentieth key has a monthly budget; over HTTP, one request at a time.';
  return valueRow({ what: 'GET /overview with 100,000 keys', explanation }, milliseconds, limitMilliseconds, 'ms');
}

function pageRow(what: string, milliseconds: number): Row {
  const explanation = `Pages of the organization with 100,000 keys in the same table, ${perPage} keys per page; over HTTP, one request at a time.`;
  return valueRow(
    { what: `GET /api-keys of 100,000 keys, ${what}`, explanation },
    milliseconds,
    limitMilliseconds,
    'ms',
  );
}
