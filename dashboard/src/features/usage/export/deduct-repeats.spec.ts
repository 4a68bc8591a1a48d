import type { UsageGroup, UsagePoint } from '../../../api/schema.js';
import { noUsage } from '../usage-totals.js';
import { deductRepeats } from './deduct-repeats.js';

/** Usage of days, by their numbers of requests, which cost a billionth each. */
function groupOf(...requests: number[]): UsageGroup {
  const points = requests.map((count, index): UsagePoint => {
    const cost = count === 0 ? null : `0.${String(count).padStart(9, '0')}`;
    return { ...noUsage, start: `2026-11-0${index + 1}T00:00:00.000Z`, requests: count, pages: 2 * count, cost };
  });
  return { totals: noUsage, points };
}

function deduct(groups: UsageGroup[], all: UsageGroup, isRunning = false) {
  const points = deductRepeats(groups, { report: { groups: [all] }, isRunning }, 'Deduction')?.points;
  return points?.map(({ start, requests, pages, cost }) => [start.slice(0, 10), requests, pages, cost]);
}

describe('deductRepeats', () => {
  it('should return what exceeds the total on each day, exactly, and nothing of other days', () => {
    expect(deduct([groupOf(3, 1, 0), groupOf(3, 1, 0), groupOf(1, 0, 0)], groupOf(4, 2, 0))).toEqual([
      ['2026-11-01', -3, -6, '-0.000000003'],
    ]);
  });

  it('should return nothing if each request counts for one tag', () => {
    expect(deduct([groupOf(3, 1), groupOf(1, 1)], groupOf(4, 2))).toBeUndefined();
    expect(deduct([], groupOf(0, 0))).toBeUndefined();
  });

  it('should ignore few requests that arrived on the running day after the total was read', () => {
    expect(deduct([groupOf(3, 1001)], groupOf(3, 1000), true)).toBeUndefined();
    expect(deduct([groupOf(3, 1500)], groupOf(3, 1000), true)).toHaveLength(1);
    expect(deduct([groupOf(1001, 3)], groupOf(1000, 3), true)).toHaveLength(1);
    expect(deduct([groupOf(3, 1001)], groupOf(3, 1000))).toHaveLength(1);
  });
});
