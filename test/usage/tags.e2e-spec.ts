import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage } from './key-usage.js';
import { readCsv } from './read-csv.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

const tagged = async (...tags: string[]) =>
  (await createRestrictedKey(service, usage.member, { name: tags.join(' '), tags })).id;
const sums = ({ groups }: UsageReportDto) => groups.map(({ tag, totals }) => [tag, totals.requests]);

/** Records 4 requests of a key with both tags, 2 of one with a tag, and 1 of a key without tags. */
async function recordTagged(hour = '2026-01-30T10:00:00Z') {
  const [both, one] = [await tagged('production', 'eu'), await tagged('production')];
  await usage.recordAt(hour, [
    ...usage.facts(4, { apiKeyId: both, model: 'small' }),
    ...usage.facts(2, { apiKeyId: one, model: 'large' }),
    ...usage.facts(1, { model: 'small' }),
  ]);
  return { both, one };
}

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('The tags of keys in a report of %s', (_title, pack) => {
  it('should be groups, in each of which a key with several counts, and keys without tags another group', async () => {
    await recordTagged();
    await pack();
    const report = await usage.report(`${january}&groupBy=tag`);
    expect(sums(report)).toEqual([
      ['production', 6],
      ['eu', 4],
      [undefined, 1],
    ]);
    expect(report.groups[0]?.points.map(({ requests }) => requests)).toEqual([6, 0]);
    expect(report.groups[2]).toMatchObject({ totals: { medianMilliseconds: expect.any(Number) as number } });
  });

  it('should filter reports of every grouping', async () => {
    const { both, one } = await recordTagged();
    await pack();
    const read = (query: string) => usage.report(`${january}&interval=none&${query}`);
    expect(sums(await read('tag=EU'))).toEqual([[undefined, 4]]);
    expect(sums(await read('tag=production'))).toEqual([[undefined, 6]]);
    expect((await read('tag=production&groupBy=apiKey')).groups.map(({ apiKey }) => apiKey?.id)).toEqual([both, one]);
    expect((await read('tag=eu&groupBy=model')).groups.map(({ model }) => model)).toEqual(['small']);
    expect(sums(await read('tag=eu&groupBy=tag'))).toEqual([
      ['eu', 4],
      ['production', 4],
    ]);
    expect(sums(await read(`tag=production&apiKeyId=${one}`))).toEqual([[undefined, 2]]);
    expect(sums(await read(`tag=eu&apiKeyId=${one}`))).toEqual([[undefined, 0]]);
    expect(sums(await read(`groupBy=tag&apiKeyId=${one}`))).toEqual([['production', 2]]);
    expect(sums(await read('groupBy=tag&model=small'))).toEqual([
      ['eu', 4],
      ['production', 4],
      [undefined, 1],
    ]);
    expect((await read('tag=unknown')).groups).toMatchObject([{ totals: { requests: 0 } }]);
  });

  it('should sum up other pages without counting a request twice', async () => {
    await recordTagged();
    const three = await tagged('a', 'b', 'c');
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(3, { apiKeyId: three }));
    await pack();
    const { groups, others } = await usage.report(`${january}&groupBy=tag&limit=2`);
    expect(groups.map(({ tag }) => tag)).toEqual(['production', 'eu']);
    expect(others).toMatchObject({ groupCount: 4, totals: { requests: 4 } });
    const filtered = await usage.report(`${january}&groupBy=apiKey&tag=production&limit=1`);
    expect(filtered.others).toMatchObject({ groupCount: 1, totals: { requests: 2 } });
  });

  it('should outlive deleted keys', async () => {
    const { both } = await recordTagged();
    await call(service.url, `DELETE /api-keys/${both}`, { token: usage.member.token });
    await pack();
    expect(sums(await usage.report(`${january}&groupBy=tag&interval=none`))).toContainEqual(['eu', 4]);
    expect(sums(await usage.report(`${january}&tag=eu&interval=none`))).toEqual([[undefined, 4]]);
  });
});

describe('Tags in usage', () => {
  it('should never include usage of another organization', async () => {
    await recordTagged();
    const other = await createMember(service);
    const response = await usage.get(`?${january}&groupBy=tag`, other.token);
    expect((response.body as UsageReportDto).groups).toEqual([]);
    const filtered = await usage.get(`?${january}&interval=none&tag=production`, other.token);
    expect((filtered.body as UsageReportDto).groups).toMatchObject([{ totals: { requests: 0 } }]);
  });

  it('should be a column of the CSV file', async () => {
    await recordTagged();
    const response = await usage.get(`/export?${january}&groupBy=tag&interval=none`);
    expect(readCsv(response.text).map((row) => [row.tag, row.requests])).toEqual([
      ['production', '6'],
      ['eu', '4'],
      ['', '1'],
    ]);
  });

  it.each(['tag=', 'tag=a,b', `tag=${'x'.repeat(51)}`])('should reject %s', async (query) => {
    for (const path of ['', '/failures', '/export']) {
      const response = await usage.get(`${path}?${query}`);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ errors: [{ field: 'tag' }] });
    }
  });
});
