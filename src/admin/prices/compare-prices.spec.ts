import type { MeterName } from '../../common/rules/meters.js';
import type { ModelPrice } from '../../config/model-definition.js';
import { comparePrices } from './compare-prices.js';

const generated: MeterName[] = [
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
];
const perMillionTokens = { input: '1', output: '4' };

describe('comparePrices', () => {
  it.each<[string, ModelPrice]>([
    ['the same prices', { perMillionTokens }],
    [
      'the prices that count by default',
      { perMillionTokens: { ...perMillionTokens, cachedInput: '1', reasoning: '4' } },
    ],
    ['the same prices of long requests', { perMillionTokens, above: [{ inputTokens: 9, perMillionTokens }] }],
    ['prices of what requests do not use', { perMillionTokens, perThousandPages: '3' }],
  ])('should find no difference from %s', (_title, listed) => {
    expect(comparePrices(generated, { perMillionTokens }, listed)).toEqual([]);
  });

  it('should name each kind that differs', () => {
    const listed = {
      perMillionTokens: { input: '1', cachedInput: '0.1', output: '5', reasoning: '4' },
      perRequest: '2',
    };
    expect(comparePrices(generated, { perMillionTokens }, listed)).toEqual([
      'cached input per million tokens: 1 in the models file, 0.1 in the list',
      'output per million tokens: 4 in the models file, 5 in the list',
      'per request: 0 in the models file, 2 in the list',
    ]);
  });

  it('should name the threshold of long requests, whichever has it', () => {
    const long = { perMillionTokens, above: [{ inputTokens: 200_000, perMillionTokens: { output: '6' } }] };
    const name = 'output per million tokens above 200000 input tokens';
    expect(comparePrices(['inputTokens', 'outputTokens'], { perMillionTokens }, long)).toEqual([
      `${name}: 4 in the models file, 6 in the list`,
    ]);
    expect(comparePrices(['inputTokens', 'outputTokens'], long, { perMillionTokens })).toEqual([
      `${name}: 6 in the models file, 4 in the list`,
    ]);
  });

  it('should compare pages', () => {
    expect(comparePrices(['pages'], { perThousandPages: '1' }, { perMillionTokens, perThousandPages: '2' })).toEqual([
      'per thousand pages: 1 in the models file, 2 in the list',
    ]);
  });
});
