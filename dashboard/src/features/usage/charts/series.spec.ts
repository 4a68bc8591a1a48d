import type { UsageGroup, UsageTotals } from '../../../api/schema.js';
import { chooseMeasure, type Measure, usedMeasures } from '../measures.js';
import { noAmounts } from '../meters.js';
import { avatarOf, hasValues, labelGroups, toChart } from './series.js';

function usageOf(requests: number): UsageTotals {
  const milliseconds = requests === 0 ? null : 10;
  return {
    ...noAmounts,
    requests,
    failures: 0,
    limited: 0,
    inputTokens: requests * 2,
    medianMilliseconds: milliseconds,
    p95Milliseconds: milliseconds,
    p99Milliseconds: milliseconds,
    firstTokenMilliseconds: null,
    cost: null,
    unpricedRequests: 0,
  };
}

function groupOf(group: Pick<UsageGroup, 'apiKey' | 'model' | 'creator'>): UsageGroup {
  const points = [3, 0].map((requests, index) => ({
    start: `2026-01-0${index + 1}T00:00:00.000Z`,
    ...usageOf(requests),
  }));
  return { ...group, totals: usageOf(3), points };
}

function keyNamed(name: string, hint = 'kc_aaaaa', isDeleted = false): UsageGroup {
  return groupOf({ apiKey: { id: `id of ${hint}`, name, hint, isDeleted } });
}

const used = { ...usageOf(1), limited: 1, cost: '1', pages: 1, firstTokenMilliseconds: 1 };

function findMeasure(key: Measure['key']): Measure {
  const measure = chooseMeasure(usedMeasures(used, 'EUR'), key);
  expect(measure.key).toBe(key);
  return measure;
}

describe('labelGroups', () => {
  it('should label keys by name and mark deleted ones', () => {
    const groups = [keyNamed('Search'), keyNamed('Import', 'kc_bbbbb', true)];
    expect(labelGroups({ groupBy: 'apiKey', groups }).map(({ label }) => label)).toEqual([
      'Search',
      'Import (deleted)',
    ]);
  });

  it('should distinguish keys of the same name', () => {
    const groups = [keyNamed('Search'), keyNamed('Search', 'kc_bbbbb', true)];
    expect(labelGroups({ groupBy: 'apiKey', groups }).map(({ label }) => label)).toEqual([
      'Search (kc_aaaaa…)',
      'Search (kc_bbbbb…) (deleted)',
    ]);
  });

  it('should label models by id, requests without a model as rejected, and put the others last', () => {
    const { totals, points } = groupOf({});
    const groups = [groupOf({ model: 'small' }), groupOf({})];
    const labelled = labelGroups({ groupBy: 'model', groups, others: { groupCount: 3, totals, points } });
    expect(labelled.map(({ key, label }) => [key, label])).toEqual([
      ['series-1', 'small'],
      ['series-2', 'Unknown (rejected by a limit)'],
      ['series-others', '3 others'],
    ]);
  });
});

describe('toChart', () => {
  it('should only have requests without a model in the chart of rejected ones', () => {
    const groups = labelGroups({ groupBy: 'model', groups: [groupOf({ model: 'small' }), groupOf({})] });
    const labelsOf = (key: Measure['key']) =>
      toChart(findMeasure(key), groups, 'model').series.map(({ label }) => label);
    expect(labelsOf('requests')).toEqual(['small']);
    expect(labelsOf('limited')).toEqual(['small', 'Unknown (rejected by a limit)']);
  });

  it("should have one series if usage isn't grouped", () => {
    const chart = toChart(findMeasure('requests'), labelGroups({ groupBy: 'none', groups: [groupOf({})] }), 'none');
    expect(chart).toEqual({
      title: 'Requests',
      starts: ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
      series: [{ key: 'series-1', label: 'Requests', values: [3, 0], total: 3 }],
      addsUp: true,
    });
  });

  it('should show three percentiles of all usage or of a single model, and gaps without requests', () => {
    const all = toChart(findMeasure('latency'), labelGroups({ groupBy: 'none', groups: [groupOf({})] }), 'none');
    expect(all.series.map(({ label, values }) => [label, values])).toEqual([
      ['Median', [10, null]],
      ['95th percentile', [10, null]],
      ['99th percentile', [10, null]],
    ]);
    const groups = labelGroups({ groupBy: 'model', groups: [groupOf({ model: 'small' })] });
    expect(toChart(findMeasure('latency'), groups, 'model').series).toEqual(all.series);
  });

  it('should have one series for each group, and none that mixes the times of others', () => {
    const { totals, points } = groupOf({});
    const groups = labelGroups({
      groupBy: 'model',
      groups: [groupOf({ model: 'small' }), groupOf({ model: 'large' })],
      others: { groupCount: 2, totals, points },
    });
    const { title, series } = toChart(findMeasure('latency'), groups, 'model');
    expect(title).toBe('Latency (p95)');
    expect(series.map(({ key, label, total }) => [key, label, total])).toEqual([
      ['series-1', 'small', 10],
      ['series-2', 'large', 10],
    ]);
    expect(toChart(findMeasure('requests'), groups, 'model').series).toHaveLength(3);
  });

  it('should label people by name, and say who was removed, deleted or may not be named', () => {
    const creators = [
      { id: '1', name: 'Ada', kind: 'member' },
      { id: '2', name: 'Alan', kind: 'former-member' },
      { id: '3', name: null, kind: 'unknown' },
      { id: '4', name: null, kind: 'member' },
    ] as const;
    const groups = [...creators.map((creator) => groupOf({ creator })), groupOf({})];
    expect(labelGroups({ groupBy: 'creator', groups }).map(({ label }) => label)).toEqual([
      'Ada',
      'Alan (removed)',
      'Deleted account',
      'Hidden name',
      'Unknown creator',
    ]);
  });

  it('should take initials from the name of a removed person, without the remark', () => {
    const removed = { id: '2', name: 'Grace Hopper', kind: 'former-member' } as const;
    expect(avatarOf(removed)).toEqual({ id: '2', name: 'Grace Hopper', isProgram: false });
    expect(avatarOf({ id: '3', name: null, kind: 'unknown' }).name).toBe('Deleted account');
    expect(avatarOf({ id: '4', name: 'Deploy', kind: 'service-account' }).isProgram).toBe(true);
  });

  it('should not add up times, or tags, since a key can have several', () => {
    const tagged = labelGroups({ groupBy: 'tag', groups: [{ ...groupOf({}), tag: 'eu' }] });
    expect(toChart(findMeasure('requests'), tagged, 'tag').addsUp).toBe(false);
    expect(toChart(findMeasure('firstToken'), tagged, 'model').addsUp).toBe(false);
  });

  it('should be empty without groups', () => {
    expect(toChart(findMeasure('pages'), [], 'model')).toEqual({
      title: 'Pages',
      starts: [],
      series: [],
      addsUp: true,
    });
  });
});

describe('hasValues', () => {
  it('should be true only if a value is above zero', () => {
    const groups = labelGroups({ groupBy: 'none', groups: [groupOf({})] });
    expect(hasValues(toChart(findMeasure('requests'), groups, 'none'))).toBe(true);
    expect(hasValues(toChart(findMeasure('pages'), groups, 'none'))).toBe(false);
  });
});
