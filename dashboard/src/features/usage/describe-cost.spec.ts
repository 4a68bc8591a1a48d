import type { LimitState } from '../../api/schema.js';
import { describeCost, hasForecast } from './describe-cost.js';
import { noUsage } from './usage-totals.js';

const limit: LimitState = {
  metric: 'cost',
  per: 'month',
  max: '25',
  used: '10',
  reserved: '0',
  estimated: '0',
  remaining: '15',
  resetsAt: '2026-12-01T00:00:00.000Z',
  isIncreased: false,
};

const usageOf = (cost: string) => ({
  totals: { ...noUsage, requests: 1, cost },
  byModel: { groups: [] },
  currency: 'EUR',
  period: { month: '2026-11', timeZone: 'UTC', to: new Date('2026-11-16T00:00:00Z') },
});

const rest = 10_000_000_000n;

describe('describeCost', () => {
  it('should forecast the cost of the current month', () => {
    expect(describeCost(usageOf('10'), undefined, rest)).toEqual([undefined, 'Forecast: €20.00']);
    expect(describeCost(usageOf('20'), { limit, since: 0 }, rest)).toEqual([
      undefined,
      'Forecast: €30.00, over the budget of €25.00',
    ]);
    expect(describeCost(usageOf('10'), undefined, undefined)).toEqual([undefined]);
  });

  it('should say until when requests are rejected instead, once the budget is used up', () => {
    const full = { ...limit, used: '25', remaining: '0' };
    expect(describeCost(usageOf('26'), { limit: full, since: 0 }, rest)).toEqual([
      undefined,
      'Requests are rejected until 1\u00a0December',
    ]);
  });
});

describe('hasForecast', () => {
  it('should be true for the current month only', () => {
    const usage = usageOf('10');
    const during = (period: Partial<typeof usage.period>) => ({ ...usage, period: { ...usage.period, ...period } });
    expect(hasForecast(usage)).toBe(true);
    expect(hasForecast(during({ to: new Date('2026-12-01T00:00:00Z') }))).toBe(false);
    expect(hasForecast({ ...usage, period: { timeZone: 'UTC', to: usage.period.to } })).toBe(false);
  });

  it('should be false once the budget is used up', () => {
    expect(hasForecast(usageOf('10'), { limit, since: 0 })).toBe(true);
    expect(hasForecast(usageOf('26'), { limit, since: 0 })).toBe(false);
  });
});
