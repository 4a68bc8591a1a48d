import type { UsagePoint } from '../../api/schema.js';
import { noAmounts } from './meters.js';
import { describeOutcomes, sectionMeasures, toOutcomeChart } from './outcomes.js';
import { noUsage } from './usage-totals.js';

function pointOf(start: string, requests: number, failures: number, limited = 0): UsagePoint {
  return {
    start,
    ...noAmounts,
    requests,
    failures,
    limited,
    medianMilliseconds: null,
    p95Milliseconds: null,
    p99Milliseconds: null,
    firstTokenMilliseconds: null,
    cost: null,
    unpricedRequests: 0,
  };
}

describe('toOutcomeChart', () => {
  it('should separate failed and rejected from successful requests', () => {
    const points = [pointOf('2026-01-30T00:00:00.000Z', 5, 2), pointOf('2026-01-31T00:00:00.000Z', 0, 0, 1)];
    const [totals = pointOf('', 0, 0)] = points;
    expect(toOutcomeChart({ groups: [{ totals, points }] })).toEqual({
      title: 'Requests',
      addsUp: true,
      starts: ['2026-01-30T00:00:00.000Z', '2026-01-31T00:00:00.000Z'],
      series: [
        { key: 'series-1', label: 'Succeeded', values: [3, 0], total: 3 },
        { key: 'series-failed', label: 'Failed', values: [2, 0], total: 2 },
        { key: 'series-2', label: 'Rejected by a limit', values: [0, 1], total: 1 },
      ],
    });
  });
});

describe('describeOutcomes', () => {
  it('should mention rejections only if there were some', () => {
    const totals = { ...noUsage, requests: 1200, failures: 12 };
    expect(describeOutcomes(totals)).toBe('1,200 requests, 12 failed (1.0%)');
    expect(describeOutcomes({ ...totals, limited: 2 })).toBe(
      '1,200 requests, 12 failed (1.0%), plus 2 rejected by a limit',
    );
  });
});

describe('sectionMeasures', () => {
  it('should have the cost only if something has a price', () => {
    const totals = { ...noUsage, requests: 1, inputTokens: 5 };
    const keys = (cost: string | null) => sectionMeasures({ ...totals, cost }, 'USD').map(({ key }) => key);
    expect(keys('0')).toEqual(['cost', 'requests']);
    expect(keys(null)).toEqual(['requests']);
  });
});
