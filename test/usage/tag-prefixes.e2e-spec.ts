import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { runRetention } from '../retention/retained-usage.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage, reportOf } from './key-usage.js';
import { readCsv } from './read-csv.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

const byTeam = `${january}&interval=none&groupBy=tag&tagPrefix=team:`;
const sums = ({ groups }: UsageReportDto) => groups.map(({ tag, totals }) => [tag, totals.requests]);

/** Records the requests of a new key with these tags. */
async function record(requests: number, ...tags: string[]) {
  const { id: apiKeyId } = await createRestrictedKey(service, usage.member, { name: `Key ${tags.join()}`, tags });
  await usage.recordAt('2026-01-30T10:00:00Z', usage.facts(requests, { apiKeyId }));
}

async function recordTeams() {
  await record(8, 'team:search', 'env:prod');
  await record(4, 'team:search', 'env:dev', 'eu');
  await record(2, 'team:mail', 'env:prod');
  await record(1, 'env:prod', 'teams');
  await usage.recordAt('2026-01-30T10:00:00Z', usage.facts(16));
}

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('A report of %s by tags with a prefix', (_title, pack) => {
  it('should add up to the total, with one group for all keys without such a tag', async () => {
    await recordTeams();
    await pack();
    expect(sums(await usage.report(byTeam))).toEqual([
      [undefined, 17],
      ['team:search', 12],
      ['team:mail', 2],
    ]);
    expect(sums(await usage.report(`${january}&interval=none`))).toEqual([[undefined, 31]]);
    expect(sums(await usage.report(`${january}&interval=none&groupBy=tag`))).toHaveLength(7);
  });

  it('should have pages, filters and intervals', async () => {
    await recordTeams();
    await pack();
    const { groups, others } = await usage.report(`${byTeam}&limit=1&page=2`);
    expect(groups).toMatchObject([{ tag: 'team:search', totals: { requests: 12 } }]);
    expect(others).toMatchObject({ groupCount: 2, totals: { requests: 19 } });
    expect(sums(await usage.report(`${byTeam}&tag=env:prod`))).toEqual([
      ['team:search', 8],
      ['team:mail', 2],
      [undefined, 1],
    ]);
    const [first] = (await usage.report(`${january}&groupBy=tag&tagPrefix=team:s`)).groups.slice(1);
    expect(first).toMatchObject({ tag: 'team:search', points: [{ requests: 12 }, { requests: 0 }] });
  });

  it('should count a key with several such tags in each group, and once in the others', async () => {
    await record(4, 'team:search', 'team:mail', 'env:prod');
    await record(2, 'team:mail');
    await record(1, 'team:a', 'team:b');
    await pack();
    const { groups, others } = await usage.report(`${byTeam}&limit=2`);
    expect(groups).toMatchObject([
      { tag: 'team:mail', totals: { requests: 6 } },
      { tag: 'team:search', totals: { requests: 4 } },
    ]);
    expect(others).toMatchObject({ groupCount: 2, totals: { requests: 1 } });
  });
});

describe('The prefix of tags', () => {
  it('should be case-insensitive, and match characters that patterns have', async () => {
    await record(2, 'a%b_c');
    await record(1, 'axb_c');
    const query = `${january}&interval=none&groupBy=tag&tagPrefix=${encodeURIComponent('A%B')}`;
    expect(sums(await usage.report(query))).toEqual([
      ['a%b_c', 2],
      [undefined, 1],
    ]);
  });

  it('should never show usage or tags of another organization', async () => {
    await recordTeams();
    const other = await createMember(service);
    expect(reportOf(await usage.get(`?${byTeam}`, other.token)).groups).toEqual([]);
  });

  it('should select the groups of a CSV file', async () => {
    await recordTeams();
    const { text } = await usage.get(`/export?${byTeam}`);
    expect(readCsv(text).map(({ tag, requests }) => [tag, requests])).toEqual([
      ['', '17'],
      ['team:search', '12'],
      ['team:mail', '2'],
    ]);
  });

  it.each(['groupBy=tag&tagPrefix=', 'groupBy=tag&tagPrefix=a,b', `groupBy=tag&tagPrefix=${'x'.repeat(51)}`])(
    'should be rejected in %s',
    async (query) => {
      for (const path of ['', '/export']) {
        const { status, body } = await usage.get(`${path}?${query}`);
        expect(status).toBe(400);
        expect(body).toMatchObject({ errors: [{ field: 'tagPrefix' }] });
      }
    },
  );

  it.each(['groupBy=apiKey', 'groupBy=none', ''])('should require tags as groups, not %s', async (query) => {
    const { status, body } = await usage.get(`?tagPrefix=team:&${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'tagPrefix', message: 'tagPrefix requires groupBy=tag.' }] });
  });
});
