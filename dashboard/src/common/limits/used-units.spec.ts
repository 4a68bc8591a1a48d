import type { UsageTotals } from '../../api/schema.js';
import { currentPeriodStart } from './budget-period.js';
import { usedUnits } from './used-units.js';

describe('usedUnits', () => {
  const totals: UsageTotals = {
    requests: 7,
    failures: 1,
    limited: 100,
    inputTokens: 30,
    cachedInputTokens: 10,
    cacheWriteTokens: 5,
    cacheWrite1hTokens: 5,
    outputTokens: 12,
    reasoningTokens: 4,
    pages: 3,
    estimatedRequests: 0,
    cost: '1.000000001',
    unpricedRequests: 0,
    medianMilliseconds: null,
    p95Milliseconds: null,
    p99Milliseconds: null,
    firstTokenMilliseconds: null,
  };

  it('should count parts of other amounts once, and costs exactly', () => {
    const metrics = ['requests', 'tokens', 'pages', 'cost'] as const;
    expect(metrics.map((metric) => usedUnits(metric, totals))).toEqual([7n, 42n, 3n, 1_000_000_001n]);
    expect(metrics.map((metric) => usedUnits(metric, undefined))).toEqual([0n, 0n, 0n, 0n]);
    expect(usedUnits('cost', { ...totals, cost: null })).toBe(0n);
  });
});

describe('currentPeriodStart', () => {
  it.each([
    ['day', 'UTC', '2026-11-29T00:00:00.000Z'],
    ['week', 'UTC', '2026-11-23T00:00:00.000Z'],
    ['month', 'UTC', '2026-11-01T00:00:00.000Z'],
    ['day', 'Asia/Tokyo', '2026-11-29T15:00:00.000Z'],
    ['week', 'Asia/Tokyo', '2026-11-29T15:00:00.000Z'],
    ['month', 'America/New_York', '2026-11-01T04:00:00.000Z'],
  ] as const)('should be midnight for the %s in %s', (per, timeZone, start) => {
    expect(currentPeriodStart(per, timeZone, Date.parse('2026-11-29T16:00:00Z')).toISOString()).toBe(start);
  });
});
