import type { FailureKey, UsageGroup } from '../../../api/schema.js';
import { noAmounts } from '../meters.js';
import { findKeys, toKeyOptions, toModelOptions, toUsedKeys, withSelected } from './filter-options.js';

const totals = {
  ...noAmounts,
  requests: 1,
  failures: 0,
  limited: 0,
  medianMilliseconds: 1,
  p95Milliseconds: 1,
  p99Milliseconds: 1,
  firstTokenMilliseconds: null,
  cost: null,
  unpricedRequests: 0,
};

function keyGroup(id: string, name: string): UsageGroup {
  return { apiKey: { id, name, hint: `kc_${id}`, isDeleted: false }, totals, points: [] };
}

function failureKey(id: string, name: string): FailureKey {
  return { id, name, hint: `kc_${id}`, isDeleted: false, requests: 1 };
}

describe('toKeyOptions', () => {
  it('should label keys by name and distinguish keys of the same name', () => {
    const groups = [keyGroup('1', 'Search'), keyGroup('2', 'Search'), keyGroup('3', 'Import')];
    expect(toKeyOptions(toUsedKeys(groups, []))).toEqual([
      { value: '1', label: 'Search (kc_1…)' },
      { value: '2', label: 'Search (kc_2…)' },
      { value: '3', label: 'Import' },
    ]);
  });

  it('should add keys with nothing but rejected requests, each once', () => {
    const [search, rejected, crawler] = [
      failureKey('1', 'Search'),
      failureKey('2', 'Search'),
      failureKey('3', 'Crawl'),
    ];
    const failures = [{ apiKeys: [rejected, search] }, { apiKeys: [crawler, rejected] }];
    expect(toKeyOptions(toUsedKeys([keyGroup('1', 'Search')], failures))).toEqual([
      { value: '1', label: 'Search (kc_1…)' },
      { value: '2', label: 'Search (kc_2…)' },
      { value: '3', label: 'Crawl' },
    ]);
  });
});

describe('findKeys', () => {
  const keys = toUsedKeys([keyGroup('1', 'Ｓearch indexer'), keyGroup('2', 'Crawler')], []);

  it.each([
    ['SEARCH', ['1']],
    ['kc_2', ['2']],
    ['r', ['1', '2']],
    ['', ['1', '2']],
    ['none', []],
  ])('should find keys by part of the name or first characters: "%s"', (text, ids) => {
    expect(findKeys(keys, text).map(({ id }) => id)).toEqual(ids);
  });
});

describe('toModelOptions', () => {
  it('should label models by id', () => {
    expect(toModelOptions([{ model: 'small', totals, points: [] }])).toEqual([{ value: 'small', label: 'small' }]);
  });
});

describe('withSelected', () => {
  const options = [{ value: '1', label: 'One' }];

  it('should add selected options that are missing', () => {
    const selected = [{ value: '2', label: 'Two' }, ...options];
    expect(withSelected(options, selected)).toEqual(selected);
  });

  it('should not change the options if those are selected, or none', () => {
    expect(withSelected(options, options)).toEqual(options);
    expect(withSelected(options, [])).toEqual(options);
  });
});
