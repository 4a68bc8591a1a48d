import { randomUUID } from 'node:crypto';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage, nothing, reportOf, requestsOf } from './key-usage.js';
import { readCsv } from './read-csv.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

describe('The groups of a usage report', () => {
  it('should group by key, busiest first, with names and hints', async () => {
    const other = await createApiKey(service, usage.member, 'Invoices');
    await usage.recordAt('2026-01-30T10:00:00Z', [...usage.facts(1), ...usage.facts(2, { apiKeyId: other.id })]);
    const { groups } = await usage.report(`${january}&groupBy=apiKey`);
    expect(groups).toMatchObject([
      {
        apiKey: { id: other.id, name: 'Invoices', hint: other.key.slice(0, 8), isDeleted: false },
        totals: { requests: 2 },
      },
      { apiKey: { id: usage.key.id, name: 'Search indexer' }, totals: { requests: 1 } },
    ]);
    expect(groups.map(({ points }) => requestsOf(points))).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });

  it('should group by model', async () => {
    await usage.record([...usage.facts(1, { model: 'small' }), ...usage.facts(2, { model: 'large' })]);
    const { groups } = await usage.report('groupBy=model&interval=none');
    expect(groups).toMatchObject([
      { model: 'large', totals: { requests: 2 } },
      { model: 'small', totals: { requests: 1 } },
    ]);
  });

  it('should only include keys of a creator, also deleted ones, with a filter', async () => {
    const { organizationId, token, userId } = usage.member;
    const grace = await createMember(service, { organizationId });
    const [kept, deleted] = [await createApiKey(service, grace, 'Kept'), await createApiKey(service, grace, 'Deleted')];
    await usage.recordAt('2026-01-30T10:00:00Z', [
      ...usage.facts(4),
      ...usage.facts(2, { apiKeyId: kept.id }),
      ...usage.facts(1, { apiKeyId: deleted.id, model: 'large' }),
    ]);
    await call(service.url, `DELETE /api-keys/${deleted.id}`, { token });
    const filter = `${january}&creatorId=${grace.userId}`;
    expect((await usage.report(filter)).groups).toMatchObject([{ totals: { requests: 3 } }]);
    const { groups, others } = await usage.report(`${filter}&groupBy=apiKey&limit=1`);
    expect(groups).toMatchObject([{ apiKey: { id: kept.id }, totals: { requests: 2 } }]);
    expect(others).toMatchObject({ groupCount: 1, totals: { requests: 1 } });
    expect((await usage.report(`${filter}&groupBy=model`)).groups).toHaveLength(2);
    expect((await usage.report(`${filter}&apiKeyId=${usage.key.id}`)).groups).toMatchObject([{ totals: nothing }]);
    expect((await usage.report(`${january}&creatorId=${userId}`)).groups).toMatchObject([{ totals: { requests: 4 } }]);
  });

  it("should not include a creator's keys in another organization", async () => {
    const other = await createMember(service);
    const elsewhere = await createApiKey(service, other, 'Elsewhere');
    const { userId } = usage.member;
    await service.query('update api_keys set created_by_id = $2 where id = $1', [elsewhere.id, userId]);
    await usage.record([usage.fact({ organizationId: other.organizationId, apiKeyId: elsewhere.id }), usage.fact()]);
    const { groups } = await usage.report(`groupBy=apiKey&creatorId=${userId}`);
    expect(groups).toMatchObject([{ apiKey: { id: usage.key.id } }]);
    expect((await usage.get('?creatorId=ada')).status).toBe(400);
  });

  it('should sum the groups beyond the limit, with a combined percentile', async () => {
    const idle = await createApiKey(service, usage.member, 'Idle');
    const slow = await createApiKey(service, usage.member, 'Slow');
    await usage.recordAt('2026-01-30T10:00:00Z', [
      ...usage.facts(30),
      ...usage.facts(19, { apiKeyId: idle.id, milliseconds: 10, inputTokens: 2 }),
    ]);
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(2, { apiKeyId: slow.id, milliseconds: 1000 }));
    const { groups, others } = await usage.report(`${january}&groupBy=apiKey&limit=1`);
    expect(groups).toMatchObject([{ apiKey: { name: 'Search indexer' }, totals: { requests: 30 } }]);
    expect(others).toMatchObject({ groupCount: 2, totals: { requests: 21, inputTokens: 38 } });
    expect(requestsOf(others?.points)).toEqual([19, 2]);
    // The 20th of 21 requests decides.
    expect(others?.totals.p95Milliseconds).toBeGreaterThan(900);
    expect(others?.points[0]?.p95Milliseconds).toBeLessThan(12);
  });

  it('should return the groups of a page, and sum up those on other pages', async () => {
    await usage.record(['a', 'b', 'c', 'd', 'e'].flatMap((model, index) => usage.facts(5 - index, { model })));
    const readPage = async (page: number) => {
      const { groups, others } = await usage.report(`groupBy=model&interval=none&limit=2&page=${page}`);
      return [groups.map(({ model }) => model), others?.groupCount, others?.totals.requests];
    };
    expect(await readPage(1)).toEqual([['a', 'b'], 3, 6]);
    expect(await readPage(2)).toEqual([['c', 'd'], 3, 10]);
    expect(await readPage(3)).toEqual([['e'], 4, 14]);
    expect(await readPage(4)).toEqual([[], 5, 15]);
  });

  it('should have no `others` if all groups are within the limit', async () => {
    await usage.record([...usage.facts(1, { model: 'small' }), ...usage.facts(2, { model: 'large' })]);
    for (const query of ['groupBy=model&limit=2', 'groupBy=model', 'limit=1']) {
      expect(await usage.report(query)).not.toHaveProperty('others');
    }
  });

  it('should count only points within the limit', async () => {
    await usage.recordAt(
      '2026-01-30T10:00:00Z',
      Array.from({ length: 600 }, () => usage.fact({ apiKeyId: randomUUID() })),
    );
    const response = await usage.get(`?${january}&groupBy=apiKey&limit=100`);
    expect(response.status).toBe(200);
    expect(reportOf(response)).toMatchObject({ others: { groupCount: 500, totals: { requests: 500 } } });
  });

  it('should count the points of all groups, up to 1,000', async () => {
    const keys = Array.from({ length: 500 }, () => usage.fact({ apiKeyId: randomUUID() }));
    await usage.recordAt('2026-01-30T10:00:00Z', keys);
    expect((await usage.report(`${january}&groupBy=apiKey`)).groups).toHaveLength(500);
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(1));
    const refused = await usage.get(`?${january}&groupBy=apiKey`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ errors: [{ message: expect.stringContaining('1002') as string }] });
    expect((await usage.report(`${january}&groupBy=apiKey&interval=none`)).groups).toHaveLength(501);
  });

  it('should also count groups beyond the returned ones', async () => {
    await usage.record(Array.from({ length: 2500 }, () => usage.fact({ apiKeyId: randomUUID() })));
    const refused = await usage.get(`?groupBy=apiKey&interval=none`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      errors: [{ field: 'groupBy', message: expect.stringContaining('2500 groups') as string }],
    });
  });

  it('should keep the usage of a deleted key, with its name and hint', async () => {
    await usage.record(usage.facts(2));
    await call(service.url, `DELETE /api-keys/${usage.key.id}`, { token: usage.member.token });
    await usage.record(usage.facts(1));
    const { groups } = await usage.report('groupBy=apiKey&interval=none');
    expect(groups).toMatchObject([
      {
        apiKey: { id: usage.key.id, name: 'Search indexer', hint: usage.key.key.slice(0, 8), isDeleted: true },
        totals: { requests: 3 },
      },
    ]);
  });
});

describe('Requests rejected by a limit', () => {
  /** Records them like the service: without a model, and with no other count. */
  const recordLimited = (hour: string, limited: number, apiKeyId = usage.key.id) =>
    service.query(
      `insert into usage (
         organization_id, hour, api_key_id, model, latency_bucket, requests, failures, limited, input_tokens, pages,
         microseconds
       ) values ($1, $2, $3, '', 0, 0, 0, $4, 0, 0, 0)`,
      [usage.member.organizationId, hour, apiKeyId, limited],
    );
  const groupsOf = async (query: string) => (await usage.report(`${january}&${query}`)).groups;

  it('should be counted in totals and points, without a duration', async () => {
    await recordLimited('2026-01-31T09:00:00Z', 3);
    await recordLimited('2026-01-31T10:00:00Z', 4);
    const [group] = await groupsOf('groupBy=apiKey');
    expect(group?.totals).toEqual({ ...nothing, limited: 7 });
    expect(group?.points).toMatchObject([nothing, { ...nothing, limited: 7 }]);
  });

  it('should not change the durations and the other counts', async () => {
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(20, { milliseconds: 100, inputTokens: 3 }));
    const [before] = await groupsOf('groupBy=none');
    await recordLimited('2026-01-31T10:00:00Z', 1000);
    const [after] = await groupsOf('groupBy=none');
    expect(after?.totals).toEqual({ ...before?.totals, limited: 1000 });
  });

  it('should be a group without a model, after those with requests', async () => {
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(1, { model: 'small' }));
    await recordLimited('2026-01-31T10:00:00Z', 5);
    const groups = await groupsOf('groupBy=model&interval=none');
    expect(groups.map((group) => [group.model, group.totals.requests, group.totals.limited])).toEqual([
      ['small', 1, 0],
      [undefined, 0, 5],
    ]);
    expect(groups[1]).not.toHaveProperty('model');
    expect(await groupsOf('model=small')).toMatchObject([{ totals: { limited: 0 } }]);
  });

  it('should be part of `others` and of the file', async () => {
    const other = await createApiKey(service, usage.member, 'Other');
    await usage.recordAt('2026-01-31T10:00:00Z', usage.facts(1));
    await recordLimited('2026-01-31T10:00:00Z', 5, other.id);
    const query = `?${january}&groupBy=apiKey&interval=none&limit=1`;
    const { groups, others } = reportOf(await usage.get(query));
    expect(groups).toMatchObject([{ apiKey: { id: usage.key.id }, totals: { limited: 0 } }]);
    expect(others).toMatchObject({ groupCount: 1, totals: { ...nothing, limited: 5 } });
    const { text } = await usage.get(`/export${query}`);
    expect(readCsv(text)[1]).toMatchObject({ apiKeyId: '', apiKeyName: '', requests: '0', limited: '5' });
  });
});
