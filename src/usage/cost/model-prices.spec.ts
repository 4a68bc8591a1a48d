import { ModelPrices } from './model-prices.js';

const prices = new ModelPrices([
  { id: 'priced', price: { perMillionTokens: { input: '1' }, perRequest: '0.5' } },
  { id: 'unpriced' },
]);

describe('ModelPrices', () => {
  it.each<[string, Parameters<ModelPrices['costOf']>[0], bigint | undefined]>([
    ['a successful request', { model: 'priced', outcome: 'success', inputTokens: 1 }, 500_001_000n],
    ['a successful request that used nothing', { model: 'priced', outcome: 'success' }, 500_000_000n],
    ['a failed request that used something', { model: 'priced', outcome: 'failure', inputTokens: 1 }, 500_001_000n],
    ['a failed request that used nothing', { model: 'priced', outcome: 'failure', inputTokens: 0 }, 0n],
    [
      'a failed request with estimated usage',
      { model: 'priced', outcome: 'failure', estimatedRequests: 1 },
      500_000_000n,
    ],
    ['a request rejected by a limit', { model: 'priced', outcome: 'limited' }, undefined],
    ['a request that is no usage', { model: 'priced', outcome: 'unrecorded' }, undefined],
    ['a request to a model without a price', { model: 'unpriced', outcome: 'success', inputTokens: 1 }, undefined],
    ['a request to a service', { model: 'authorize', outcome: 'success' }, undefined],
  ])('should know the cost of %s', (_title, request, cost) => {
    expect(prices.costOf(request)).toBe(cost);
  });
});
