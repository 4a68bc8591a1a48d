import { isMonthlyBudget, restOfOverview } from './monthly-forecast.js';

describe('restOfOverview', () => {
  const sums = { requests: 1, failures: 0, inputTokens: 0, outputTokens: 0, unpricedRequests: 0 };
  const monthWith = (cost: string | null) => ({ from: '', to: '', points: [], totals: { ...sums, cost } });

  it('should be what the forecast adds to the cost so far', () => {
    expect(restOfOverview({ costForecast: '31.2', month: monthWith('30') })).toBe(1_200_000_000n);
    expect(restOfOverview({ costForecast: '1', month: monthWith(null) })).toBe(1_000_000_000n);
    expect(restOfOverview({ costForecast: null, month: monthWith('30') })).toBeUndefined();
    expect(restOfOverview({})).toBeUndefined();
  });
});

describe('isMonthlyBudget', () => {
  it('should be true for costs of all models per month', () => {
    expect(isMonthlyBudget({ metric: 'cost', per: 'month' })).toBe(true);
    expect(isMonthlyBudget({ metric: 'cost', per: 'week' })).toBe(false);
    expect(isMonthlyBudget({ metric: 'tokens', per: 'month' })).toBe(false);
    expect(isMonthlyBudget({ metric: 'cost', per: 'month', models: ['small'] })).toBe(false);
  });
});
