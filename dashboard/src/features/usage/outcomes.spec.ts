import type { UsagePoint } from '../../api/schema.js';
import { noAmounts } from './meters.js';
import { toOutcomeChart } from './outcomes.js';

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
