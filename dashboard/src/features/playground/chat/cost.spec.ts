import { costOf } from './cost.js';

const perMillionTokens = { input: '2', cachedInput: '0.5', cacheWrite: '4', output: '10' };
const price = { currency: 'USD', perMillionTokens };

describe('costOf', () => {
  it('should charge each kind of tokens at its own price', () => {
    const prices = { ...perMillionTokens, cacheWrite1h: '8', reasoning: '20' };
    const tokens = {
      input: 1_000_000,
      cachedInput: 400_000,
      cacheWrite: 100_000,
      cacheWrite1h: 40_000,
      output: 100_000,
      reasoning: 30_000,
    };
    expect(costOf(tokens, { ...price, perMillionTokens: prices })).toBeCloseTo(
      0.5 * 2 + 0.4 * 0.5 + 0.06 * 4 + 0.04 * 8 + 0.07 * 10 + 0.03 * 20,
      12,
    );
  });

  it('should charge cached tokens like other input, and reasoning like other output, without prices of their own', () => {
    const tokens = { input: 1000, cachedInput: 900, output: 100, reasoning: 90 };
    expect(costOf(tokens, { currency: 'USD', perMillionTokens: { input: '2', output: '10' } })).toBeCloseTo(0.003, 12);
  });

  it('should charge large requests at their own prices, and each request', () => {
    const above = [
      { inputTokens: 1000, perMillionTokens: { input: '4' } },
      { inputTokens: 5000, perMillionTokens: { input: '6' } },
    ];
    const tiered = { ...price, perRequest: '0.01', above };
    expect(costOf({ input: 1000, output: 0 }, tiered)).toBeCloseTo(0.012, 12);
    expect(costOf({ input: 2000, output: 100 }, tiered)).toBeCloseTo(0.019, 12);
    expect(costOf({ input: 10_000, output: 0 }, tiered)).toBeCloseTo(0.07, 12);
  });

  it('should be unknown without reported tokens', () => {
    expect(costOf({ input: 1 }, price)).toBeUndefined();
    expect(costOf({ output: 1 }, price)).toBeUndefined();
  });
});
