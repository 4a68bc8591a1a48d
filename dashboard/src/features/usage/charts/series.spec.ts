import type { UsageGroup, UsageTotals } from '../../../api/schema.js';
import { type Measure, measuresWithCost } from '../measures.js';
import { noAmounts } from '../meters.js';
import { hasValues, labelGroups, toChart } from './series.js';

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
    cost: null,
    unpricedRequests: 0,
  };
}

function groupOf(group: Pick<UsageGroup, 'apiKey' | 'model'>): UsageGroup {
  const points = [3, 0].map((requests, index) => ({
    start: `2026-01-0${index + 1}T00:00:00.000Z`,
    ...usageOf(requests),
  }));
  return { ...group, totals: usageOf(3), points };
}

function keyNamed(name: string, hint = 'kc_aaaaa', isDeleted = false): UsageGroup {
  return groupOf({ apiKey: { id: `id of ${hint}`, name, hint, isDeleted } });
}

function findMeasure(key: Measure['key']): Measure {
  const measure = measuresWithCost('EUR').find((candidate) => candidate.key === key);
  if (measure === undefined) throw new Error(`Measure ${key} not found.`);
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
  it('should only have requests without a model in the chart of failures', () => {
    const groups = labelGroups({ groupBy: 'model', groups: [groupOf({ model: 'small' }), groupOf({})] });
    const labelsOf = (key: Measure['key']) =>
      toChart(findMeasure(key), groups, 'model').series.map(({ label }) => label);
    expect(labelsOf('requests')).toEqual(['small']);
    expect(labelsOf('failures')).toEqual(['small', 'Unknown (rejected by a limit)']);
  });

  it("should have one series if usage isn't grouped", () => {
    const chart = toChart(findMeasure('requests'), labelGroups({ groupBy: 'none', groups: [groupOf({})] }), 'none');
    expect(chart).toEqual({
      name: 'requests',
      title: 'Requests',
      starts: ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
      series: [{ key: 'series-1', label: 'Requests', values: [3, 0], total: 3 }],
    });
  });

  it('should show three percentiles, and gaps without requests', () => {
    const { series } = toChart(findMeasure('latency'), labelGroups({ groupBy: 'none', groups: [groupOf({})] }), 'none');
    expect(series.map(({ label, values }) => [label, values])).toEqual([
      ['Median', [10, null]],
      ['95th percentile', [10, null]],
      ['99th percentile', [10, null]],
    ]);
  });

  it('should have one series for each group', () => {
    const groups = labelGroups({
      groupBy: 'model',
      groups: [groupOf({ model: 'small' }), groupOf({ model: 'large' })],
    });
    const { name, title, series } = toChart(findMeasure('latency'), groups, 'model');
    expect([name, title]).toEqual(['latency-p95-by-model', 'Latency, 95th percentile']);
    expect(series.map(({ key, label, total }) => [key, label, total])).toEqual([
      ['series-1', 'small', 10],
      ['series-2', 'large', 10],
    ]);
  });

  it('should add up the failed and the rejected requests of each group', () => {
    const failing = { ...keyNamed('Search'), totals: { ...usageOf(3), failures: 2, limited: 5 } };
    const { name, series } = toChart(
      findMeasure('failures'),
      labelGroups({ groupBy: 'apiKey', groups: [failing] }),
      'apiKey',
    );
    expect([name, series[0]?.total]).toEqual(['failures-by-key', 7]);
  });

  it('should draw costs as numbers, and keep them exact', () => {
    const group = groupOf({ model: 'small' });
    const [first, second] = group.points.map((point, index) => ({
      ...point,
      cost: index === 0 ? '123456789.123456789' : null,
    }));
    const points = [first, second].flatMap((point) => point ?? []);
    const groups = labelGroups({ groupBy: 'model', groups: [{ ...group, points }] });
    const [series] = toChart(findMeasure('cost'), groups, 'model').series;
    expect(series?.values).toEqual([123456789.12345679, null]);
    expect(series?.exact).toEqual(['123456789.123456789', null]);
  });

  it('should be empty without groups', () => {
    expect(toChart(findMeasure('pages'), [], 'model')).toEqual({
      name: 'pages-by-model',
      title: 'Pages',
      starts: [],
      series: [],
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
