import fc from 'fast-check';
import type { MeterAmounts, MeterName } from '../../common/rules/meters.js';
import type { ModelPrice, TokenPrices } from '../../config/model-definition.js';
import { compilePrice, maxCost } from './compile-price.js';

/** Of input and output, with a price of its own for each kind. */
const allKinds = {
  input: '1',
  cachedInput: '0.1',
  cacheWrite: '1.25',
  cacheWrite1h: '2',
  output: '4',
  reasoning: '5',
} as const satisfies TokenPrices;

/** In billionths: a token at a price of 1 per million costs 1,000. */
const cost = (price: ModelPrice, used: MeterAmounts) => Number(compilePrice(price).costOf(used));

describe('compilePrice', () => {
  it.each<[string, MeterAmounts, number]>([
    ['input', { inputTokens: 10 }, 10_000],
    ['cached input, which is part of input', { inputTokens: 10, cachedInputTokens: 4 }, 6400],
    ['cache writes, which are part of input', { inputTokens: 10, cacheWriteTokens: 4 }, 11_000],
    [
      'cache writes for an hour, which are part of cache writes',
      { inputTokens: 10, cacheWriteTokens: 4, cacheWrite1hTokens: 1 },
      11_750,
    ],
    ['output', { outputTokens: 10 }, 40_000],
    ['reasoning, which is part of output', { outputTokens: 10, reasoningTokens: 3 }, 43_000],
    [
      'everything',
      {
        inputTokens: 100,
        cachedInputTokens: 50,
        cacheWriteTokens: 20,
        cacheWrite1hTokens: 5,
        outputTokens: 10,
        reasoningTokens: 5,
      },
      30_000 + 5000 + 18_750 + 10_000 + 20_000 + 25_000,
    ],
  ])('should have a price for %s', (_title, used, expected) => {
    expect(cost({ perMillionTokens: allKinds }, used)).toBe(expected);
  });

  it.each<[keyof TokenPrices, MeterName[], number]>([
    ['cachedInput', ['inputTokens', 'cachedInputTokens'], 10_000],
    ['cacheWrite', ['inputTokens', 'cacheWriteTokens'], 10_000],
    ['cacheWrite1h', ['inputTokens', 'cacheWriteTokens', 'cacheWrite1hTokens'], 12_500],
    ['reasoning', ['outputTokens', 'reasoningTokens'], 40_000],
  ])('should use the price of the kind that %s is part of if it has none', (kind, names, expected) => {
    const used = Object.fromEntries(names.map((name) => [name, 10]));
    expect(cost({ perMillionTokens: { ...allKinds, [kind]: undefined } }, used)).toBe(expected);
  });

  it('should add the price of the request and of its pages', () => {
    const price = { perMillionTokens: { input: '1' }, perRequest: '0.002', perThousandPages: '3' };
    expect(cost(price, { inputTokens: 1, pages: 2 })).toBe(1000 + 2_000_000 + 6_000_000);
  });

  it('should use the prices of the highest threshold that the input exceeds for the whole request', () => {
    const price: ModelPrice = {
      perMillionTokens: { input: '1', cachedInput: '0.5', output: '4' },
      above: [
        { inputTokens: 100, perMillionTokens: { input: '2', output: '6' } },
        { inputTokens: 200, perMillionTokens: { input: '3' } },
      ],
    };
    const used = { cachedInputTokens: 10, outputTokens: 1 };
    expect(cost(price, { ...used, inputTokens: 100 })).toBe(90_000 + 5000 + 4000);
    expect(cost(price, { ...used, inputTokens: 101 })).toBe(182_000 + 5000 + 6000);
    expect(cost(price, { ...used, inputTokens: 201 })).toBe(573_000 + 5000 + 4000);
  });

  it('should charge no more tokens than reported if a part exceeds what it is part of', () => {
    const used = { inputTokens: 10, cachedInputTokens: 8, cacheWriteTokens: 9, outputTokens: 1, reasoningTokens: 7 };
    expect(cost({ perMillionTokens: allKinds }, used)).toBe(800 + 2500 + 5000);
  });

  it.each<[string, string, number, number]>([
    ['any fraction', '0.000000000000001', 1, 1],
    ['nothing exactly', '0', 2_147_483_647, 0],
    ['the sum, not each part', '0.0005', 2, 1],
    ['not what is exact', '0.02', 50_000, 1_000_000],
  ])('should round up %s', (_title, input, inputTokens, expected) => {
    expect(cost({ perMillionTokens: { input } }, { inputTokens })).toBe(expected);
  });

  it('should be at most a million, so that no upstream can exhaust the columns of usage', () => {
    const price = { perMillionTokens: { input: '1000000', output: '1000000' }, perThousandPages: '1000000' };
    const most = 2 ** 31 - 1;
    expect(compilePrice(price).costOf({ inputTokens: most, outputTokens: most, pages: most })).toBe(maxCost);
    expect(maxCost * 1000n).toBeLessThan(2n ** 63n);
  });

  it('should be the exact sum, rounded up once', () => {
    const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.integer({ min: 0, max: 15 }));
    const amount = fc.integer({ min: 0, max: 2 ** 31 - 1 });
    const kinds = fc.tuple(decimal, decimal, decimal, decimal, decimal, decimal);
    const amounts = fc.tuple(amount, amount, amount, amount, amount, amount);
    fc.assert(
      fc.property(kinds, amounts, decimal, (prices, tokens, requestPrice) => {
        const [input = '', cachedInput, cacheWrite, cacheWrite1h, output, reasoning] = prices.map(toText);
        const [plain, cached, write, write1h, written, thought] = tokens.map((count) => count >> 3) as typeof tokens;
        const price = {
          perMillionTokens: { input, cachedInput, cacheWrite, cacheWrite1h, output, reasoning },
          perRequest: toText(requestPrice),
        };
        const used = {
          inputTokens: plain + cached + write + write1h,
          cachedInputTokens: cached,
          cacheWriteTokens: write + write1h,
          cacheWrite1hTokens: write1h,
          outputTokens: written + thought,
          reasoningTokens: thought,
        };
        // As fractions with the denominator 10^21.
        const counts = [plain, cached, write, write1h, written, thought];
        const fractions = prices.map((one, index) => numerator(one, 21 - 6) * BigInt(counts[index] ?? 0));
        const sum = fractions.reduce((total, one) => total + one, numerator(requestPrice, 21));
        const exact = sum / 10n ** 12n + (sum % 10n ** 12n > 0n ? 1n : 0n);
        expect(exact).toBeLessThan(maxCost);
        expect(compilePrice(price).costOf(used)).toBe(exact);
      }),
    );
  });
});

type Fraction = [digits: bigint, decimals: number];

/** The decimal, below 100, so that no request costs more than the maximum. */
function toText([digits, decimals]: Fraction): string {
  const text = String(digits % 10n ** BigInt(decimals + 2)).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

function numerator([digits, decimals]: Fraction, denominatorDigits: number): bigint {
  return (digits % 10n ** BigInt(decimals + 2)) * 10n ** BigInt(denominatorDigits - decimals);
}
