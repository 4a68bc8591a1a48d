import { readUsageSearch, type UsageSearch } from './search.js';

function read(search: Partial<UsageSearch>): UsageSearch {
  return readUsageSearch(search as Parameters<typeof readUsageSearch>[0]);
}

describe('readUsageSearch', () => {
  it('should default to ungrouped usage of the last seven days', () => {
    expect(read({})).toEqual({ range: '7d', groupBy: 'none', page: 1, perPage: 10 });
  });

  it('should read all parameters', () => {
    const search = {
      range: '90d',
      groupBy: 'model',
      apiKeyId: 'some-id',
      model: 'some-model',
      page: 2,
      perPage: 25,
    } as const;
    expect(read(search)).toEqual(search);
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
