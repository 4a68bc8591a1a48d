import { type BenchDatabase } from '../data/bench-database.js';
import { insertMember } from '../data/bench-member.js';
import { insertYearOfUsage, readUsageMegabytes } from '../data/year-of-usage.js';
import { withChildren } from '../processes/child.js';
import { median } from '../rounds.js';
import { type Row, valueRow } from '../row.js';
import type { KeycardSettings, Listening } from '../servers/keycard.js';
import { measureRetentionTask } from './retention-task.js';

const warmUpCalls = 3;
const calls = 15;
const maxMegabytes = 1000;
const maxMilliseconds = 300;
const scripts = {
  service: new URL('../servers/keycard.js', import.meta.url),
  probe: new URL('../processes/latency-probe.js', import.meta.url),
};

/** Measures the size of a year of usage, reports about it, and the task that packs and deletes it. */
export function measureRetention(database: BenchDatabase): Promise<Row[]> {
  const { client, connection } = database;
  return withChildren(scripts, async ({ service, probe }) => {
    const settings: KeycardSettings = { database: connection };
    const { url } = await service.run<Listening>(settings);
    const { organizationId, busiestKeyId } = await insertYearOfUsage(client);
    const token = await insertMember(client, organizationId, { permissions: ['get-usage'] });
    const reports = [
      'interval=day',
      'interval=none',
      'interval=day&timeZone=Europe/Berlin',
      'interval=day&groupBy=model',
      'interval=day&groupBy=apiKey&limit=1',
      'interval=none&groupBy=apiKey&limit=5',
      'interval=none&groupBy=apiKey&limit=100',
      'interval=none&groupBy=apiKey&limit=100&page=90',
      `interval=day&apiKeyId=${busiestKeyId}`,
    ];
    const rows = [sizeRow(await readUsageMegabytes(client))];
    console.log(`  size: ${rows[0]?.measured}`);
    for (const query of reports) {
      const row = reportRow(query.replace(busiestKeyId, '…'), await measure(url, token, query));
      console.log(`  ${row.what}: ${row.measured}`);
      rows.push(row);
    }
    return [...rows, ...(await measureRetentionTask(database, probe, url))];
  });
}

async function measure(url: string, token: string, query: string): Promise<number> {
  const from = new Date(Date.now() - 365 * 24 * 3_600_000).toISOString();
  const figures: number[] = [];
  for (let call = 0; call < warmUpCalls + calls; call += 1) {
    const start = performance.now();
    const response = await fetch(`${url}/usage?from=${from}&${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET /usage with ${query} returned ${response.status}: ${text}`);
    if (call >= warmUpCalls) figures.push(performance.now() - start);
  }
  return median(figures);
}

function sizeRow(megabytes: number): Row {
  const what = 'usage of 100,000,000 requests by 10,000 keys in a year';
  const explanation =
    'Size of all tables of usage with their indexes, for one organization: by day, and the last 35 days also by hour. No `VACUUM FULL`. The number of requests of a key falls with its rank (Zipf), spread over all hours of the day.';
  return valueRow({ what, explanation }, megabytes, maxMegabytes, 'MB');
}

function reportRow(query: string, milliseconds: number): Row {
  const explanation = 'The same usage: reports of the last 365 days; over HTTP, one request at a time.';
  return valueRow({ what: `GET /usage, a year, ${query}`, explanation }, milliseconds, maxMilliseconds, 'ms');
}
