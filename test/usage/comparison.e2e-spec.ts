import type { UsageReportDto } from '../../src/usage/dto/usage-report.dto.js';
import { createRestrictedKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { runRetention } from '../retention/retained-usage.js';
import { useTestApp } from '../setup/use-test-app.js';
import { january, KeyUsage, nothing, reportOf } from './key-usage.js';

const service = useTestApp();
let usage: KeyUsage;

beforeEach(async () => {
  usage = await KeyUsage.create(service);
});

const before = 'compareFrom=2026-01-28T00:00:00Z&compareTo=2026-01-30T00:00:00Z';
const compared = `${january}&interval=none&${before}`;

/** Requests of each group now and before. */
const requestsOf = ({ groups }: UsageReportDto) =>
  groups.map(({ model, totals, previousTotals }) => [model, totals.requests, previousTotals?.requests]);

/** Records requests of models before and now. */
async function recordModels(models: Record<string, [before: number, now: number]>) {
  const facts = (index: 0 | 1) =>
    Object.entries(models).flatMap(([model, counts]) =>
      usage.facts(counts[index], { model, milliseconds: counts[index] }),
    );
  await usage.recordAt('2026-01-28T10:00:00Z', facts(0));
  await usage.recordAt('2026-01-30T10:00:00Z', facts(1));
}

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('A report of %s that is compared with another period', (_title, pack) => {
  it('should have the groups of either period, with the totals of both, in the order of the amount', async () => {
    await recordModels({ steady: [4, 4], grown: [1, 3], new: [0, 2], gone: [5, 0] });
    await pack();
    const report = await usage.report(`${compared}&groupBy=model`);
    expect(report).toMatchObject({
      comparedFrom: '2026-01-28T00:00:00.000Z',
      comparedTo: '2026-01-30T00:00:00.000Z',
    });
    expect(requestsOf(report)).toEqual([
      ['steady', 4, 4],
      ['grown', 3, 1],
      ['new', 2, 0],
      ['gone', 0, 5],
    ]);
  });

  it('should order groups of all pages by the change of an amount, in both directions', async () => {
    await recordModels({ steady: [4, 4], grown: [1, 4], new: [0, 2], gone: [5, 0] });
    await pack();
    const read = (query: string) => usage.report(`${compared}&groupBy=model&orderMode=change&${query}`);
    const namesOf = ({ groups }: UsageReportDto) => groups.map(({ model }) => model);
    expect(namesOf(await read(''))).toEqual(['grown', 'new', 'steady', 'gone']);
    expect(namesOf(await read('order=ASC'))).toEqual(['gone', 'steady', 'new', 'grown']);
    expect(namesOf(await read('limit=2&page=2'))).toEqual(['steady', 'gone']);
    // New and disappeared groups have no change of a time.
    expect(namesOf(await read('orderBy=p95Milliseconds')).slice(0, 2)).toEqual(['grown', 'steady']);
    expect(namesOf(await read('orderBy=p95Milliseconds&order=ASC')).slice(0, 2)).toEqual(['steady', 'grown']);
    expect(namesOf(await read('orderBy=name&order=ASC'))).toEqual(['gone', 'grown', 'new', 'steady']);
  });

  it('should sum up other pages in both periods', async () => {
    await recordModels({ steady: [4, 4], grown: [1, 3], new: [0, 2], gone: [5, 0] });
    await pack();
    const { others } = await usage.report(`${compared}&groupBy=model&limit=1`);
    expect(others).toMatchObject({ groupCount: 3, totals: { requests: 5 }, previousTotals: { requests: 6 } });
  });

  it('should have both periods for every grouping', async () => {
    const { id: apiKeyId } = await createRestrictedKey(service, usage.member, { name: 'Tagged', tags: ['eu'] });
    await usage.recordAt('2026-01-28T10:00:00Z', usage.facts(3));
    await usage.recordAt('2026-01-30T10:00:00Z', usage.facts(1, { apiKeyId }));
    await pack();
    const totalsBy = async (query: string) =>
      (await usage.report(`${compared}&${query}`)).groups.map(({ totals, previousTotals }) => [
        totals.requests,
        previousTotals?.requests,
      ]);
    const separate = [
      [1, 0],
      [0, 3],
    ];
    expect(await totalsBy('groupBy=apiKey')).toEqual(separate);
    expect(await totalsBy('groupBy=tag')).toEqual(separate);
    expect(await totalsBy('groupBy=creator')).toEqual([[1, 3]]);
    expect(await totalsBy('groupBy=none')).toEqual([[1, 3]]);
    expect(await totalsBy('groupBy=none&tag=eu')).toEqual([[1, 0]]);
  });
});

describe.each([
  ['recent usage', () => Promise.resolve()],
  ['packed usage', () => runRetention(service)],
])('A report of %s that is compared with a period in which usage began', (_title, pack) => {
  const threeDays = 'compareFrom=2026-01-27T00:00:00Z&compareTo=2026-01-30T00:00:00Z';
  const firstUse = async (query = '') => {
    const report = await usage.report(`${january}&interval=none&${threeDays}&${query}`);
    return [report.comparedUsageFrom, report.comparedCostFrom].map((start) => start?.slice(0, 13));
  };

  it('should say on which day it did, and on which day the first cost was', async () => {
    await usage.recordAt('2026-01-28T10:00:00Z', usage.facts(1));
    await usage.recordAt('2026-01-29T10:00:00Z', usage.facts(1, { cost: 5n }));
    await pack();
    expect(await firstUse()).toEqual(['2026-01-28T00', '2026-01-29T00']);
    expect(await firstUse('timeZone=Asia/Tokyo')).toEqual(['2026-01-27T15', '2026-01-28T15']);
  });

  it('should say so of the selected keys and models alone', async () => {
    await usage.recordAt('2026-01-03T10:00:00Z', usage.facts(1, { model: 'old', cost: 5n }));
    await usage.recordAt('2026-01-28T10:00:00Z', usage.facts(1, { model: 'new' }));
    await pack();
    expect(await firstUse()).toEqual([undefined, undefined]);
    expect(await firstUse('model=new')).toEqual(['2026-01-28T00', undefined]);
    expect(await firstUse(`apiKeyId=${usage.key.id}`)).toEqual([undefined, undefined]);
  });

  it('should say only since when there are costs if requests had no price before', async () => {
    await usage.recordAt('2026-01-03T10:00:00Z', usage.facts(1));
    await usage.recordAt('2026-01-28T10:00:00Z', usage.facts(1, { cost: 5n }));
    await pack();
    expect(await firstUse()).toEqual([undefined, '2026-01-28T00']);
  });

  it('should say so of each group', async () => {
    const { id: apiKeyId } = await createRestrictedKey(service, usage.member, { name: 'Tagged', tags: ['eu'] });
    await usage.recordAt('2026-01-03T10:00:00Z', usage.facts(1, { model: 'old', cost: 5n }));
    await usage.recordAt('2026-01-28T10:00:00Z', usage.facts(1, { model: 'old', cost: 5n }));
    await usage.recordAt('2026-01-28T10:00:00Z', usage.facts(1, { model: 'new', apiKeyId }));
    await usage.recordAt('2026-01-29T10:00:00Z', usage.facts(1, { model: 'new', apiKeyId, cost: 5n }));
    await usage.recordAt('2026-01-30T10:00:00Z', usage.facts(1, { model: 'newest' }));
    await pack();
    const startsBy = async (query: string) => {
      const { groups, ...report } = await usage.report(
        `${january}&interval=none&${threeDays}&orderMode=change&orderBy=name&order=ASC&${query}`,
      );
      expect(report).not.toHaveProperty('comparedUsageFrom');
      return groups.map((group) =>
        [group.comparedUsageFrom, group.comparedCostFrom].map((start) => start?.slice(0, 13)),
      );
    };
    const [began, old] = [
      ['2026-01-28T00', '2026-01-29T00'],
      [undefined, undefined],
    ];
    expect(await startsBy('groupBy=model')).toEqual([began, old, old]);
    expect(await startsBy('groupBy=apiKey')).toEqual([old, began]);
    expect(await startsBy('groupBy=tag')).toEqual([old, began]);
    expect(await startsBy('groupBy=creator')).toEqual([old]);
    expect(await startsBy('groupBy=model&limit=1&timeZone=Asia/Tokyo')).toEqual([['2026-01-27T15', '2026-01-28T15']]);
  });

  it('should not say so if usage began on its first day, or if there is none', async () => {
    expect(await firstUse()).toEqual([undefined, undefined]);
    await usage.recordAt('2026-01-27T10:00:00Z', usage.facts(1, { cost: 5n }));
    await pack();
    expect(await firstUse()).toEqual([undefined, undefined]);
  });
});

describe('A compared report', () => {
  it('should be zero without usage in either period, and have no points of the other one', async () => {
    const { groups } = await usage.report(`${january}&${before}`);
    expect(groups).toMatchObject([{ totals: nothing, previousTotals: nothing }]);
    expect(groups[0]?.points).toHaveLength(2);
  });

  it('should never include usage of another organization', async () => {
    await recordModels({ gone: [5, 0], steady: [1, 1] });
    const other = await createMember(service);
    const response = await usage.get(`?${compared}&groupBy=model`, other.token);
    expect(reportOf(response).groups).toEqual([]);
  });

  it.each([
    ['compareFrom=2026-01-28T00:00:00Z', 'compareTo'],
    ['compareTo=2026-01-28T00:00:00Z', 'compareFrom'],
    ['compareFrom=2026-01-28T00:00:00Z&compareTo=2026-01-28T00:00:00Z', 'compareFrom'],
    ['compareFrom=yesterday&compareTo=2026-01-28T00:00:00Z', 'compareFrom'],
    ['orderMode=change', 'orderMode'],
    [`${before}&orderMode=percent`, 'orderMode'],
  ])('should reject %s', async (query, field) => {
    const { status, body } = await usage.get(`?${january}&${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field }] });
  });

  it('should not be exported, because its file has no column for it', async () => {
    const { status, body } = await usage.get(`/export?${january}&${before}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ field: 'compareFrom' }, { field: 'compareTo' }] });
  });
});
