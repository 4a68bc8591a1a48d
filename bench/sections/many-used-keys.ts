import { type BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertUsedKeys, limitUsedKeys } from '../data/used-keys.js';
import { withChildren } from '../processes/child.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';

const warmUpCalls = 2;
const calls = 9;
const maxReportMilliseconds = 1000;
const maxOverviewMilliseconds = 50;
const dayMilliseconds = 24 * 3_600_000;
const scripts = { service: new URL('../servers/keycard.js', import.meta.url) };

const reports = ['creator', 'tag'].flatMap((groupBy) => [
  { period: '31 days', days: 31, query: `interval=day&groupBy=${groupBy}&limit=5` },
  { period: '31 days', days: 31, query: `interval=day&timeZone=Europe/Berlin&groupBy=${groupBy}&limit=5` },
  { period: 'a year', days: 365, query: `interval=none&groupBy=${groupBy}` },
]);

/** Measures reports by person and by tag, and the overview, of an organization whose 100,000 keys are used each day. */
export async function measureManyUsedKeys({ client, connection }: BenchDatabase): Promise<Row[]> {
  // Before the service starts, whose retention task would delete series without usage.
  const organizationId = await insertUsedKeys(client);
  return withChildren(scripts, async ({ service }) => {
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const token = await insertMember(client, organizationId, { permissions: ['get-usage', 'get-api-keys'] });
    const [creator] = (await client.query<{ id: string }>('select id from bench_creators where number = 1')).rows;
    const rows: Row[] = [];
    for (const { period, days, query } of [
      ...reports,
      { period: '31 days', days: 31, query: 'interval=day&tag=production' },
      { period: '31 days', days: 31, query: `interval=day&creatorId=${creator?.id ?? ''}` },
    ]) {
      const from = new Date(Date.now() - (days - 1) * dayMilliseconds).toISOString();
      const figures = await measure(`${url}/usage?from=${from}&${query}`, token);
      const what = `GET /usage, ${period}, 100,000 used keys, ${query.replace(creator?.id ?? '', '…')}`;
      const explanation =
        'Usage of 100,000 keys by 50 people, each used on every day of a year; over HTTP, one request at a time.';
      rows.push(valueRow({ what, explanation }, median(figures.slice(warmUpCalls)), maxReportMilliseconds, 'ms'));
      console.log(`  ${what}: ${rows.at(-1)?.measured}`);
    }
    rows.push(...(await measureOverview(url, token, 'without budgets')));
    await limitUsedKeys(client, organizationId);
    // Directly in the database, so without the event that shows changes immediately.
    await client.query('select pg_sleep(61)');
    rows.push(...(await measureOverview(url, token, 'all with a used budget')));
    return rows;
  });
}

async function measureOverview(url: string, token: string, state: string): Promise<Row[]> {
  const [first = 0, ...others] = await measure(`${url}/overview`, token);
  const what = `GET /overview, 100,000 used keys, ${state}`;
  const explanation = 'The same organization; over HTTP, one request at a time.';
  const rows = [
    valueRow({ what: `${what}, first request`, explanation }, first, maxReportMilliseconds, 'ms'),
    valueRow({ what, explanation }, median(others), maxOverviewMilliseconds, 'ms'),
  ];
  for (const row of rows) console.log(`  ${row.what}: ${row.measured}`);
  return rows;
}

/** Milliseconds of each call. */
async function measure(url: string, token: string): Promise<number[]> {
  const figures: number[] = [];
  for (let call = 0; call < warmUpCalls + calls; call += 1) {
    const start = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text}`);
    figures.push(performance.now() - start);
  }
  return figures;
}
