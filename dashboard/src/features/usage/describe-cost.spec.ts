import type { LimitState } from '../../api/schema.js';
import { describeCost } from './describe-cost.js';
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
const filter = { apiKeyId: ['one'] };

const usageOf = (cost: string) => ({
  totals: { ...noUsage, requests: 1, cost },
  byModel: { groups: [] },
  currency: 'EUR',
  period: { month: '2026-11', timeZone: 'UTC', to: new Date('2026-11-16T00:00:00Z') },
});

describe('describeCost', () => {
  it('should forecast the cost of the current month', () => {
    expect(describeCost(usageOf('10'), {}, undefined)).toEqual([undefined, 'Forecast: €20.00']);
    expect(describeCost(usageOf('15'), {}, { limit, since: 0 })).toEqual([
      undefined,
      'Forecast: €30.00, over the budget of €25.00',
    ]);
  });

  it('should say until when requests are rejected instead, once the budget is used up', () => {
    const full = { ...limit, used: '25', remaining: '0' };
    expect(describeCost(usageOf('26'), {}, { limit: full, since: 0 })).toEqual([
      undefined,
      'Requests are rejected until 1\u00a0December',
    ]);
  });

  it('should forecast the cost of a single key with a budget from when it was created', () => {
    expect(describeCost(usageOf('10'), filter, { limit, since: Date.parse('2026-11-11T00:00:00Z') })).toEqual([
      undefined,
      'Forecast: €40.00, over the budget of €25.00',
    ]);
    expect(describeCost(usageOf('10'), filter, undefined)).toEqual([undefined]);
  });
});
