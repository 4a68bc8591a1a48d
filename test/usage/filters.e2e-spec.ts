import type { Permission } from '../../src/access/permissions.js';
import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { createApiKey, createRestrictedKey } from '../factories/api-keys.js';
import { createMember, type Member, removeMember } from '../factories/organizations.js';
import { runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage, nothing } from './key-usage.js';
import { readCsv } from './read-csv.js';

const service = useTestApp();
let usage: KeyUsage;
let grace: Member;
/** Ids of keys. The name is the tag. */
let eu: string;
let asia: string;
let ofGrace: string;

const tagged = async (tag: string) => (await createRestrictedKey(service, usage.member, { name: tag, tags: [tag] })).id;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
  const { organizationId } = usage.member;
  grace = await createMember(service, { organizationId, permissions: ['create-api-keys'] });
  [eu, asia] = [await tagged('eu'), await tagged('asia')];
  ofGrace = (await createApiKey(service, grace, 'Zebra')).id;
  await usage.recordAt('2026-01-30T10:00:00Z', [
    ...usage.facts(1, { model: 'small', cost: 9n }),
    ...usage.facts(2, { apiKeyId: eu, model: 'small', inputTokens: 50, outcome: 'failure' }),
    ...usage.facts(4, { apiKeyId: asia, model: 'large', inputTokens: 1, cost: 1n }),
    ...usage.facts(8, { apiKeyId: ofGrace, model: 'huge' }),
  ]);
});

const requests = async (query: string) =>
  (await usage.report(`${january}&interval=none&${query}`)).groups[0]?.totals.requests;

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('A report of %s', (_title, pack) => {
  beforeEach(pack);

  it('should count what is of any of several keys, models, tags or creators', async () => {
    expect(await requests(`apiKeyId=${eu}&apiKeyId=${asia}`)).toBe(6);
    expect(await requests('model=small&model=huge')).toBe(11);
    expect(await requests('tag=eu&tag=ASIA&tag=unknown')).toBe(6);
    expect(await requests(`creatorId=${usage.member.userId}`)).toBe(7);
    expect(await requests(`creatorId=${usage.member.userId}&creatorId=${grace.userId}`)).toBe(15);
  });

  it('should count what every filter lets through', async () => {
    expect(await requests(`apiKeyId=${eu}&apiKeyId=${asia}&model=large&model=huge`)).toBe(4);
    expect(await requests(`tag=eu&tag=asia&model=small`)).toBe(2);
    expect(await requests(`creatorId=${usage.member.userId}&apiKeyId=${eu}&apiKeyId=${ofGrace}`)).toBe(2);
    expect(await requests(`creatorId=${grace.userId}&tag=eu&tag=asia`)).toBe(0);
  });

  it('should count repeated values once', async () => {
    expect(await requests(`apiKeyId=${eu}&apiKeyId=${eu}&model=small&model=small&tag=eu&tag=EU`)).toBe(2);
  });

  it('should group by creator, also with a limit and with deleted keys', async () => {
    await call(service.url, `DELETE /api-keys/${ofGrace}`, { token: usage.member.token });
    const { groups } = await usage.report(`${january}&groupBy=creator`);
    expect(groups).toMatchObject([
      { creator: { id: grace.userId, kind: 'member' }, totals: { requests: 8 }, points: [{ requests: 8 }, nothing] },
      { creator: { id: usage.member.userId, kind: 'member' }, totals: { requests: 7, inputTokens: 104 } },
    ]);
    const { others, ...first } = await usage.report(`${january}&groupBy=creator&limit=1`);
    expect(first.groups).toHaveLength(1);
    expect(others).toMatchObject({ groupCount: 1, totals: { requests: 7 } });
    expect((await usage.report(`${january}&groupBy=creator&tag=eu&model=small`)).groups).toMatchObject([
      { creator: { id: usage.member.userId }, totals: { requests: 2 } },
    ]);
  });

  it.each([
    ['requests&order=ASC', ['Search indexer', 'eu', 'asia', 'Zebra']],
    ['failures', ['eu', 'Zebra', 'asia', 'Search indexer']],
    ['inputTokens', ['eu', 'asia', 'Zebra', 'Search indexer']],
    ['cost', ['Search indexer', 'asia', 'Zebra', 'eu']],
    ['cost&order=ASC', ['asia', 'Search indexer', 'Zebra', 'eu']],
    ['name&order=ASC', ['asia', 'eu', 'Search indexer', 'Zebra']],
    ['name', ['Zebra', 'Search indexer', 'eu', 'asia']],
  ])('should order groups by %s', async (orderBy, names) => {
    const namesOf = ({ groups }: UsageReportDto) => groups.map(({ apiKey }) => apiKey?.name);
    const query = `${january}&interval=none&groupBy=apiKey&orderBy=${orderBy}`;
    expect(namesOf(await usage.report(query))).toEqual(names);
    expect(namesOf(await usage.report(`${query}&limit=2&page=2`))).toEqual(names.slice(2));
  });
});

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('Groups in a report of %s', (_title, pack) => {
  it.each([
    ['medianMilliseconds', ['even', 'spread', 'quick', 'rejected']],
    ['p95Milliseconds', ['spread', 'even', 'quick', 'rejected']],
    ['p99Milliseconds&order=ASC', ['quick', 'even', 'spread', 'rejected']],
    ['firstTokenMilliseconds', ['quick', 'even', 'spread', 'rejected']],
    ['firstTokenMilliseconds&order=ASC', ['even', 'quick', 'spread', 'rejected']],
  ])('should be ordered by %s, those without it last', async (orderBy, models) => {
    const facts = (model: string, ...milliseconds: number[]) =>
      milliseconds.map((duration) => usage.fact({ model, milliseconds: duration }));
    await usage.recordAt('2026-01-31T10:00:00Z', [
      ...facts('spread', ...Array<number>(18).fill(40), 9000, 9000),
      ...facts('even', ...Array<number>(20).fill(500)),
      ...facts('quick', 4),
      usage.fact({ model: 'quick', milliseconds: 9, firstTokenMilliseconds: 8 }),
      usage.fact({ model: 'even', milliseconds: 500, firstTokenMilliseconds: 1 }),
      usage.fact({ model: 'even', milliseconds: 500, firstTokenMilliseconds: 3 }),
      usage.fact({ model: 'rejected', outcome: 'limited' }),
    ]);
    await pack();
    const period = 'from=2026-01-31T00:00:00Z&to=2026-02-01T00:00:00Z&interval=none';
    const read = async (query: string) => {
      const { groups } = await usage.report(`${period}&groupBy=model&orderBy=${orderBy}${query}`);
      return groups.map(({ model }) => model);
    };
    expect(await read('')).toEqual(models);
    expect(await read('&limit=3&page=2')).toEqual(models.slice(3));
    const byTag = await usage.report(`${period}&groupBy=tag&orderBy=${orderBy}`);
    expect(byTag.groups).toHaveLength(1);
  });
});

describe('Creators in a report', () => {
  it('should have names that the caller may see elsewhere, and none else', async () => {
    const { organizationId } = usage.member;
    const readAs = async (...permissions: Permission[]) => {
      const { token } = await createMember(service, { organizationId, permissions: ['get-usage', ...permissions] });
      const { body } = await usage.get(`?${january}&groupBy=creator&interval=none`, token);
      return (body as UsageReportDto).groups.map(({ creator }) => creator?.name ?? null);
    };
    const both = await readAs('get-members');
    expect(both).not.toContain(null);
    expect(await readAs('get-api-keys')).toEqual(both);
    expect(await readAs()).toEqual([null, null]);
    expect(await readAs('get-service-accounts')).toEqual([null, null]);
  });

  it('should be former members after they were removed', async () => {
    await removeMember(service, grace, usage.member);
    const { groups } = await usage.report(`${january}&groupBy=creator&interval=none`);
    expect(groups.find(({ creator }) => creator?.id === grace.userId)?.creator).toMatchObject({
      kind: 'former-member',
      name: expect.any(String) as string,
    });
  });

  it('should be a group without a creator if none is known', async () => {
    await service.query('update api_keys set created_by_id = null where id = $1', [ofGrace]);
    const { groups } = await usage.report(`${january}&groupBy=creator&interval=none`);
    expect(groups[0]).not.toHaveProperty('creator');
    expect(groups[0]).toMatchObject({ totals: { requests: 8 } });
    const { others } = await usage.report(`${january}&groupBy=creator&interval=none&limit=1&orderBy=inputTokens`);
    expect(others).toMatchObject({ groupCount: 1, totals: { requests: 8 } });
  });

  it('should be columns of the file', async () => {
    const { text } = await usage.get(`/export?${january}&groupBy=creator&interval=none`);
    expect(readCsv(text)[0]).toMatchObject({ creatorId: grace.userId, requests: '8' });
  });
});

describe('Filters and creators', () => {
  it('should never reach usage of another organization', async () => {
    const stranger = await createMember(service);
    const read = async (query: string) =>
      ((await usage.get(`?${january}&interval=none&${query}`, stranger.token)).body as UsageReportDto).groups;
    for (const filter of [
      `apiKeyId=${eu}&apiKeyId=${asia}`,
      'model=small&model=large',
      'tag=eu&tag=asia',
      `creatorId=${grace.userId}&creatorId=${usage.member.userId}`,
    ]) {
      expect(await read(filter)).toMatchObject([{ totals: nothing }]);
      for (const groupBy of ['apiKey', 'model', 'tag', 'creator']) {
        for (const orderBy of ['requests', 'cost', 'name']) {
          expect(await read(`${filter}&groupBy=${groupBy}&orderBy=${orderBy}`)).toEqual([]);
        }
      }
      const failures = await usage.get(`/failures?${january}&${filter}`, stranger.token);
      expect(failures.body).toMatchObject({ failures: [] });
    }
  });

  it('should not name a creator from another organization', async () => {
    const stranger = await createMember(service);
    await service.query('update api_keys set created_by_id = $1 where id = $2', [stranger.userId, ofGrace]);
    const { groups } = await usage.report(`${january}&groupBy=creator&interval=none`);
    expect(groups[0]?.creator).toEqual({ id: stranger.userId, name: null, kind: 'unknown' });
  });
});

describe('The time to the first token', () => {
  it('should be the mean over streamed requests, also after usage is packed', async () => {
    const { key } = usage;
    await usage.recordAt('2026-01-31T10:00:00Z', [
      usage.fact({ model: 'chat', firstTokenMilliseconds: 100 }),
      usage.fact({ model: 'chat', firstTokenMilliseconds: 300.5 }),
      usage.fact({ model: 'chat' }),
    ]);
    const read = async () => (await usage.report(`${january}&apiKeyId=${key.id}&groupBy=model`)).groups;
    const expected = [{ firstTokenMilliseconds: null }, { firstTokenMilliseconds: 200.25 }];
    expect(await read()).toMatchObject([
      { model: 'chat', totals: { firstTokenMilliseconds: 200.25 }, points: expected },
      {},
    ]);
    await runRetention(service);
    expect(await read()).toMatchObject([
      { model: 'chat', totals: { firstTokenMilliseconds: 200.25 }, points: expected },
      { model: 'small', totals: { firstTokenMilliseconds: null } },
    ]);
  });
});
