import { compareTotals } from './compare-totals.js';
import { noUsage } from './usage-totals.js';

const totalsOf = (requests: number) => ({ ...noUsage, requests });
const counts = { kind: 'count' as const, read: ({ requests }: typeof noUsage) => requests };
const latencies = { kind: 'latency' as const, read: ({ p95Milliseconds }: typeof noUsage) => p95Milliseconds };
const costs = { kind: 'cost' as const, read: ({ cost }: typeof noUsage) => (cost === null ? null : Number(cost)) };

describe('compareTotals', () => {
  it.each([
    [112, 100, { difference: '+12', note: '+12.0%' }],
    [75, 100, { difference: '−25', note: '−25.0%' }],
    [0, 100, { difference: '−100', note: '−100.0%' }],
    [10_001, 10_000, { difference: '+1', note: '<0.1% more' }],
    [999, 1000, { difference: '−1', note: '−0.1%' }],
    [399, 100, { difference: '+299', note: '+299.0%' }],
    [1086, 100, { difference: '+986', note: '11 times' }],
    [1200, 100, { difference: '+1100', note: '12 times' }],
    [5000, 100, { difference: '+4900', note: '50 times' }],
    [100, 100, { difference: '0' }],
    [5, 0, { difference: '+5', note: 'New' }],
  ])('should compare %i requests with %i', (current, previous, expected) => {
    expect(compareTotals(counts, totalsOf(current), totalsOf(previous), String)).toEqual(expected);
  });

  it('should not call something new that had requests before', () => {
    const [current, previous] = [{ ...noUsage, cost: '2' }, totalsOf(3)];
    expect(compareTotals(costs, current, previous, String)).toEqual({ difference: '+2' });
    expect(compareTotals(costs, totalsOf(3), { ...totalsOf(3), cost: '2' }, String)).toEqual({
      difference: '−2',
      note: '−100.0%',
    });
  });

  it('should say more or less of an amount that is too small for a number', () => {
    const [current, previous] = [
      { ...totalsOf(1), cost: '2.001' },
      { ...totalsOf(1), cost: '2' },
    ];
    const format = () => '<$0.01';
    expect(compareTotals(costs, current, previous, format)).toEqual({ difference: '<$0.01 more', note: '<0.1% more' });
    expect(compareTotals(costs, previous, current, format)?.difference).toBe('<$0.01 less');
  });

  it('should not compare times and costs of nothing', () => {
    const slow = { ...totalsOf(1), p95Milliseconds: 20 };
    expect(compareTotals(latencies, slow, totalsOf(1), String)).toBeUndefined();
    expect(compareTotals(latencies, noUsage, slow, String)).toBeUndefined();
    expect(compareTotals(latencies, slow, noUsage, String)).toEqual({ difference: '–', note: 'New' });
    expect(compareTotals(costs, totalsOf(1), totalsOf(1), String)).toBeUndefined();
    expect(compareTotals(counts, totalsOf(1), undefined, String)).toBeUndefined();
  });
});
