import { readUsageSearch, readUsageSectionSearch, type UsageSearch, type UsageSectionSearch } from './search.js';

function read(search: Partial<UsageSearch>): UsageSearch {
  return readUsageSearch(search as Parameters<typeof readUsageSearch>[0]);
}

describe('readUsageSearch', () => {
  it('should default to ungrouped usage of the last seven days', () => {
    expect(read({})).toEqual({ range: '7d', measure: 'cost', groupBy: 'none', page: 1, perPage: 10 });
  });

  it('should read all parameters', () => {
    const search = {
      range: '90d',
      groupBy: 'model',
      measure: 'outputTokens',
      apiKeyId: ['01936f5e-7b1c-7cc3-98c4-dc0c0c07398f'],
      creatorId: ['01936f5e-7b1c-7cc3-98c4-dc0c0c073990', '01936f5e-7b1c-7cc3-98c4-dc0c0c073991'],
      model: ['some-model', '7'],
      tag: ['eu'],
      orderBy: 'name',
      order: 'ASC',
      page: 2,
      perPage: 25,
    } satisfies Partial<UsageSearch>;
    expect(read(search)).toEqual(search);
  });

  it('should read a single value of a filter, and leave out invalid and repeated ones', () => {
    expect(readUsageSearch({ model: 'small', tag: ['EU', 'eu', 'a,b'], apiKeyId: ['no-id'] } as never)).toMatchObject({
      model: ['small'],
      tag: ['eu'],
      apiKeyId: undefined,
    });
    expect(read({ order: 'ASC' }).order).toBeUndefined();
  });

  it('should read the prefix of tags only if they are what usage is split by', () => {
    expect(read({ groupBy: 'tag', tagPrefix: 'Team:' }).tagPrefix).toBe('team:');
    expect(read({ groupBy: 'tag', tagPrefix: 'team' }).tagPrefix).toBeUndefined();
    expect(read({ groupBy: 'model', tagPrefix: 'team:' }).tagPrefix).toBeUndefined();
  });

  it('should require both days in order', () => {
    const days = { from: '2026-01-01', to: '2026-01-31' };
    expect(read(days)).toMatchObject(days);
    expect(read({ from: days.from }).from).toBeUndefined();
    expect(read({ from: days.to, to: days.from }).to).toBeUndefined();
  });

  it('should read a month instead of days', () => {
    expect(read({ month: '2026-11', from: '2026-01-01', to: '2026-01-31' })).toEqual({
      range: '7d',
      month: '2026-11',
      measure: 'cost',
      groupBy: 'none',
      page: 1,
      perPage: 10,
    });
    expect(read({ month: '2026-13' }).month).toBeUndefined();
  });

  it('should shorten a range of more than a year to its last year', () => {
    expect(read({ from: '2020-01-01', to: '2026-01-31' })).toMatchObject({
      from: '2025-01-31',
      to: '2026-01-31',
    });
  });
});

describe('readUsageSectionSearch', () => {
  const readSection = (search: Record<string, unknown>) =>
    readUsageSectionSearch(search as Parameters<typeof readUsageSectionSearch>[0]);

  it('should default to the requests of the last 30 days', () => {
    expect(readSection({ month: 'May', measure: 'pages', from: '2026-01-01' })).toEqual({
      range: '30d',
      measure: 'requests',
    });
  });

  it('should read the parameters of the usage page', () => {
    const month: UsageSectionSearch = { range: '30d', month: '2026-10', measure: 'cost' };
    expect(readSection({ ...month })).toEqual(month);
    const days: UsageSectionSearch = { range: '7d', from: '2026-01-01', to: '2026-01-31', measure: 'requests' };
    expect(readSection({ ...days })).toEqual(days);
  });
});
