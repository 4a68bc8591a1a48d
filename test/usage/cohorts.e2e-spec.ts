import type { UsageGroupDto, UsageReportDto, UsageTotalsDto } from '../../src/usage/dto/usage-report.dto.js';
import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember, type Member, removeMember } from '../factories/organizations.js';
import { recordUsageAt } from '../factories/usage.js';
import { daysAgo, runRetention } from '../retention/retained-usage.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
/** More keys have the same creator and the same tags than a cohort needs. */
const keyCount = 11;
let ada: Member;
let grace: Member;
/** Ids by creator and tags. */
let keys: { production: string[]; eu: string[]; untagged: string[] };

beforeEach(async () => {
  ada = await createMember(service);
  grace = await createMember(service, { organizationId: ada.organizationId });
  const create = (member: Member, tags: string[]) =>
    Promise.all(
      Array.from({ length: keyCount }, async (_, index) => {
        const { id } = await createRestrictedKey(service, member, { name: `${tags.join(' ')} ${index}`, tags });
        return id;
      }),
    );
  keys = {
    production: await create(ada, ['production']),
    eu: await create(grace, ['eu', 'production']),
    untagged: await create(grace, []),
  };
});

const get = async (path: string, { token } = ada) => {
  const { status, body } = await call(service.url, `GET ${path}`, { token });
  expect(status).toBe(200);
  return body as UsageReportDto;
};

/** Records a different number of requests for each key on a day, by two models and of several durations. */
async function recordDay(day: string, ids = Object.values(keys).flat()): Promise<void> {
  const { organizationId } = ada;
  for (const [hour, model] of [
    ['02', 'small'],
    ['17', 'large'],
  ] as const) {
    const facts = ids.flatMap((apiKeyId, index) => [
      ...Array.from({ length: 1 + (index % 3) }, () => ({
        ...{ organizationId, apiKeyId, model, inputTokens: 3 + index },
        ...{ milliseconds: 5 * (1 + (index % 7)), firstTokenMilliseconds: 2 },
      })),
      { organizationId, apiKeyId, model, outcome: 'failure' as const, milliseconds: 900 },
      { organizationId, apiKeyId, model: '', outcome: 'limited' as const },
    ]);
    await recordUsageAt(service, `${day}T${hour}:30:00Z`, facts);
  }
}

const period = `from=${daysAgo(70)}T00:00:00Z&to=${daysAgo(-1)}T00:00:00Z`;
const recent = `from=${daysAgo(20)}T00:00:00Z&to=${daysAgo(0)}T00:00:00Z&interval=day&timeZone=America/New_York`;

const compared = `from=${daysAgo(30)}T00:00:00Z&to=${daysAgo(0)}T00:00:00Z&interval=none&compareFrom=${daysAgo(60)}T00:00:00Z&compareTo=${daysAgo(30)}T00:00:00Z`;

/** Reports that read cohorts. */
const reports = () => [
  ...['creator', 'tag'].flatMap((groupBy) =>
    [
      `${period}&interval=none`,
      `${period}&interval=none&limit=1`,
      `${period}&interval=none&limit=1&page=2&orderBy=inputTokens&order=ASC`,
      `${period}&interval=none&orderBy=p95Milliseconds`,
      `${period}&interval=none&model=small`,
      `${period}&interval=day&model=large&limit=1`,
      `${recent}&limit=1`,
      `${recent}&orderBy=firstTokenMilliseconds`,
      `${compared}&limit=1`,
      `${compared}&orderBy=inputTokens&orderMode=change`,
      `${compared}&orderBy=p95Milliseconds&orderMode=change`,
    ].map((query) => `/usage?${query}&groupBy=${groupBy}`),
  ),
  ...[`${period}&interval=none`, `${recent}&limit=1`, compared].map(
    (query) => `/usage?${query}&groupBy=tag&tagPrefix=e`,
  ),
  ...[`tag=eu`, `tag=production&tag=eu`, `creatorId=${grace.userId}`].flatMap((filter) =>
    ['none', 'model', 'apiKey&limit=2', 'creator&limit=1', 'tag&limit=1'].flatMap((groupBy) => [
      `/usage?${period}&interval=none&${filter}&groupBy=${groupBy}`,
      `/usage?${recent}&${filter}&groupBy=${groupBy}`,
    ]),
  ),
];

const readAll = () => Promise.all(reports().map((path) => get(path)));

/** Numbers of requests by group. */
async function requestsBy(groupBy: 'creator' | 'tag'): Promise<Record<string, number>> {
  const { groups } = await get(`/usage?${period}&interval=none&groupBy=${groupBy}`);
  const nameOf = ({ creator, tag }: UsageGroupDto) => (groupBy === 'creator' ? creator?.id : tag) ?? '';
  return Object.fromEntries(groups.map((group) => [nameOf(group), group.totals.requests]));
}

/** The same, as plain sums by key of what keys have now. */
async function sumsByKey(): Promise<{ creator: Record<string, number>; tag: Record<string, number> }> {
  const { groups } = await get(`/usage?${period}&interval=none&groupBy=apiKey`);
  const owners = await service.query<{ id: string; creator: string | null; tags: string[] }>(
    `select id, created_by_id as creator, tags from api_keys where organization_id = $1
     union all select id, created_by_id, tags from deleted_api_keys where organization_id = $1`,
    [ada.organizationId],
  );
  const requests = new Map(groups.map(({ apiKey, totals }) => [apiKey?.id, totals.requests]));
  const sums = { creator: {} as Record<string, number>, tag: {} as Record<string, number> };
  const add = (kind: 'creator' | 'tag', group: string, count: number) => {
    sums[kind][group] = (sums[kind][group] ?? 0) + count;
  };
  for (const { id, creator, tags } of owners) {
    const count = requests.get(id);
    if (count === undefined) continue;
    add('creator', creator ?? '', count);
    for (const tag of tags.length > 0 ? tags : ['']) add('tag', tag, count);
  }
  return sums;
}

async function expectSumsByKey(): Promise<void> {
  const expected = await sumsByKey();
  expect(await requestsBy('creator')).toEqual(expected.creator);
  expect(await requestsBy('tag')).toEqual(expected.tag);
}

const countRows = async (from: string) => {
  const [row] = await service.query<{ count: number }>(`select count(*)::int as count from ${from}`);
  return row?.count ?? 0;
};
const cohortsOf = (condition: string) =>
  `usage_cohorts where organization_id = '${ada.organizationId}' and not is_stale and ${condition}`;
const singleSeries = (column: string) =>
  `usage_series where organization_id = '${ada.organizationId}' and ${column} is null
   and api_key_id <> '00000000-0000-0000-0000-000000000000'`;

describe('Reports by creator and by tag', () => {
  it('should stay the same when usage is packed, and when cohorts add it up', async () => {
    for (const days of [60, 12, 3]) await recordDay(daysAgo(days));
    const before = await readAll();
    await runRetention(service);
    expect(await countRows(cohortsOf('creator_id is not null'))).toBe(2);
    expect(await countRows(cohortsOf('tags is not null'))).toBe(3);
    expect(await countRows(singleSeries('creator_cohort_id'))).toBe(0);
    expect(await countRows(singleSeries('tags_cohort_id'))).toBe(0);
    expect(await readAll()).toEqual(before);
    await expectSumsByKey();
  });

  it('should include usage that is packed after the cohorts were created', async () => {
    await recordDay(daysAgo(12));
    await runRetention(service);
    await recordDay(daysAgo(12));
    await recordDay(daysAgo(45));
    const before = await readAll();
    await runRetention(service);
    expect(await countRows('usage')).toBe(0);
    expect(await readAll()).toEqual(before);
    await expectSumsByKey();
  });

  it('should count all usage of a key for the tags that it has now, immediately', async () => {
    for (const days of [60, 3]) await recordDay(daysAgo(days));
    await runRetention(service);
    const [changed, deleted] = [keys.production.slice(0, 3), keys.eu.slice(0, 2)];
    for (const id of changed) {
      await call(service.url, `PATCH /api-keys/${id}`, { token: ada.token, body: { tags: ['us'] } });
    }
    for (const id of deleted) await call(service.url, `DELETE /api-keys/${id}`, { token: ada.token });
    const { tag } = await sumsByKey();
    expect(Object.keys(tag).sort()).toEqual(['', 'eu', 'production', 'us']);
    await expectSumsByKey();
    const before = await readAll();
    await runRetention(service);
    expect(await countRows('usage_cohort_changes')).toBe(0);
    expect(await readAll()).toEqual(before);
    await expectSumsByKey();
  });

  it('should leave out a tag that all its keys have lost', async () => {
    await recordDay(daysAgo(3));
    await runRetention(service);
    await service.query(`update api_keys set tags = '{all}' where organization_id = $1`, [ada.organizationId]);
    expect(Object.keys(await requestsBy('tag'))).toEqual(['all']);
    await runRetention(service);
    expect(Object.keys(await requestsBy('tag'))).toEqual(['all']);
    expect(await countRows(cohortsOf('tags is not null'))).toBe(1);
  });

  it('should count keys of a deleted account without a creator', async () => {
    await recordDay(daysAgo(3));
    await runRetention(service);
    await removeMember(service, grace, ada);
    await expectSumsByKey();
    await service.query('delete from users where id = $1', [grace.userId]);
    const expected = await sumsByKey();
    expect(Object.keys(expected.creator).sort()).toEqual(['', ada.userId].sort());
    await expectSumsByKey();
    await runRetention(service);
    await expectSumsByKey();
    expect(await countRows(singleSeries('creator_cohort_id'))).toBe(0);
  });

  it('should not read sums that a replica of an earlier release did not add to', async () => {
    await recordDay(daysAgo(3));
    await runRetention(service);
    // Packs the same usage again, for keys and for all keys.
    for (const table of ['usage_by_hour', 'usage_by_day', 'usage_by_month']) {
      await service.query(
        `update ${table} set requests = array(select 2 * value from unnest(requests) as value)
         where series_id in (select id from usage_series where organization_id = $1)`,
        [ada.organizationId],
      );
    }
    await expectSumsByKey();
    await runRetention(service);
    expect(await countRows(cohortsOf('true'))).toBe(5);
    expect(await countRows(singleSeries('tags_cohort_id'))).toBe(0);
    await expectSumsByKey();
  });

  it('should lose days that are older than the retention period', async () => {
    await recordDay(daysAgo(3));
    await runRetention(service);
    const path = `/usage?from=${daysAgo(500)}T00:00:00Z&interval=none&groupBy=tag`;
    const before = await get(path);
    await recordDay(daysAgo(402));
    expect(await get(path)).not.toMatchObject({ groups: before.groups });
    await runRetention(service);
    expect(await get(path)).toMatchObject({ groups: before.groups });
    expect(await countRows(singleSeries('tags_cohort_id'))).toBe(0);
  });

  it("should never add up another organization's keys with the same tags", async () => {
    const other = await createMember(service);
    await recordDay(daysAgo(3));
    const before = await readAll();
    const ids = await Promise.all(
      Array.from({ length: keyCount }, async () => {
        const { id } = await createRestrictedKey(service, other, { name: 'Elsewhere', tags: ['production'] });
        return id;
      }),
    );
    const { organizationId } = other;
    await recordUsageAt(
      service,
      `${daysAgo(3)}T02:30:00Z`,
      ids.map((apiKeyId) => ({ organizationId, apiKeyId, model: 'small' })),
    );
    await runRetention(service);
    expect(await readAll()).toEqual(before);
    const { groups } = await get(`/usage?${period}&interval=none&groupBy=tag`, other);
    const totals: Partial<UsageTotalsDto> = { requests: keyCount };
    expect(groups).toMatchObject([{ tag: 'production', totals }]);
    const filtered = await get(`/usage?${period}&interval=none&creatorId=${grace.userId}`, other);
    expect(filtered.groups).toMatchObject([{ totals: { requests: 0 } }]);
  });
});
