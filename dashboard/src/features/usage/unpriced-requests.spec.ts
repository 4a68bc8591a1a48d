import type { UsageGroup } from '../../api/schema.js';
import { noAmounts } from './meters.js';
import { describeUnpriced } from './unpriced-requests.js';

const noUsage = {
  ...noAmounts,
  requests: 0,
  failures: 0,
  limited: 0,
  medianMilliseconds: null,
  p95Milliseconds: null,
  p99Milliseconds: null,
  firstTokenMilliseconds: null,
  cost: null,
  unpricedRequests: 0,
};

function groupOf(model: string, unpricedRequests: number): UsageGroup {
  return { model, totals: { ...noUsage, requests: 9, unpricedRequests }, points: [] };
}

describe('describeUnpriced', () => {
  it('should name the models whose requests had no price', () => {
    const groups = [groupOf('small', 1000), groupOf('priced', 0), groupOf('large', 234)];
    expect(describeUnpriced({ unpricedRequests: 1234 }, { groups })).toBe(
      'Excludes 1,234 requests without a price: small, large',
    );
  });

  it.each([
    ['models that are not in the report', 3, [groupOf('small', 1)], 'small, others'],
    ['more than three models', 4, ['a', 'b', 'c', 'd'].map((model) => groupOf(model, 1)), 'a, b, c, others'],
  ])('should say that there are others: %s', (_title, unpricedRequests, groups, names) => {
    expect(describeUnpriced({ unpricedRequests }, { groups })).toMatch(new RegExp(`without a price: ${names}$`));
  });

  it('should say nothing if all requests have a cost', () => {
    expect(describeUnpriced({ unpricedRequests: 0 }, { groups: [groupOf('priced', 0)] })).toBeUndefined();
  });
});
