import { costOf } from './cost.js';

const price = { currency: 'USD', perMillionTokens: { input: '2', cachedInput: '0.5', cacheWrite: '4', output: '10' } };

describe('costOf', () => {
  it('should charge cached and written tokens at their own price', () => {
    const tokens = { input: 1_000_000, cachedInput: 400_000, cacheWrite: 100_000, output: 100_000 };
    expect(costOf(tokens, price)).toBeCloseTo(0.5 * 2 + 0.4 * 0.5 + 0.1 * 4 + 0.1 * 10, 12);
  });

  it('should charge cached tokens like other input without a price of their own', () => {
    const { input, output } = price.perMillionTokens;
    const tokens = { input: 1000, cachedInput: 900, output: 0 };
    expect(costOf(tokens, { perMillionTokens: { input, output } })).toBeCloseTo(0.002, 12);
  });

  it.each([
    null,
    {},
    { perMillionTokens: 0.02 },
    { perMillionTokens: { input: '1' } },
    { perMillionTokens: { input: '', output: 'x' } },
  ])('should be unknown for the price %j', (unusable) => {
    expect(costOf({ input: 1, output: 1 }, unusable)).toBeUndefined();
  });

  it('should be unknown without reported tokens', () => {
    expect(costOf({ input: 1 }, price)).toBeUndefined();
  });
});
