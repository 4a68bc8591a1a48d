import type { UsageGroup } from '../../../api/schema.js';
import { toKeyOptions, toModelOptions, withChosen } from './filter-options.js';

const totals = { requests: 1, failures: 0, inputTokens: 0, pages: 0, meanMilliseconds: 1, p95Milliseconds: 1 };

function keyGroup(id: string, name: string): UsageGroup {
  return { apiKey: { id, name, hint: `kc_${id}`, isDeleted: false }, totals, points: [] };
}

describe('toKeyOptions', () => {
  it('should offer keys by name, and tell those of the same name apart', () => {
    expect(toKeyOptions([keyGroup('1', 'Search'), keyGroup('2', 'Search'), keyGroup('3', 'Import')])).toEqual([
      { value: '1', label: 'Search (kc_1…)' },
      { value: '2', label: 'Search (kc_2…)' },
      { value: '3', label: 'Import' },
    ]);
  });
});

describe('toModelOptions', () => {
  it('should offer models by id', () => {
    expect(toModelOptions([{ model: 'small', totals, points: [] }])).toEqual([{ value: 'small', label: 'small' }]);
  });
});

describe('withChosen', () => {
  const options = [{ value: '1', label: 'One' }];

  it('should add what is chosen and missing', () => {
    expect(withChosen(options, '2', 'Two')).toEqual([{ value: '2', label: 'Two' }, ...options]);
  });

  it.each([undefined, '1'])('should leave the options as they are when %s is chosen', (value) => {
    expect(withChosen(options, value, 'Two')).toEqual(options);
  });
});
