import { findEntries, parsePriceList } from './price-list.js';

const listOf = (entries: object) => parsePriceList(JSON.stringify(entries)) ?? new Map<string, never>();

describe('findEntries', () => {
  it('should read the prices of all kinds of tokens and of long requests exactly', () => {
    const list = `{ "large": {
      "litellm_provider": "acme", "max_tokens": 8192, "supports_vision": true, "input_cost_per_audio_token": 1e-05,
      "input_cost_per_token": 1.25e-06, "output_cost_per_token": 1e-05, "cache_read_input_token_cost": 1.25e-07,
      "cache_creation_input_token_cost": 3e-07, "cache_creation_input_token_cost_above_1hr": 6e-06,
      "output_cost_per_reasoning_token": 1.1e-05, "input_cost_per_token_above_200k_tokens": 2.5e-06,
      "output_cost_per_token_above_200k_tokens": 1.5e-05, "input_cost_per_token_above_128k_tokens": 2e-06,
      "input_cost_per_request": 0.005, "ocr_cost_per_page": 0.001
    } }`;
    expect(findEntries(parsePriceList(list) ?? new Map(), 'large')).toEqual([
      {
        name: 'large',
        price: {
          perMillionTokens: {
            input: '1.25',
            cachedInput: '0.125',
            cacheWrite: '0.3',
            cacheWrite1h: '6',
            output: '10',
            reasoning: '11',
          },
          perRequest: '0.005',
          perThousandPages: '1',
          above: [
            { inputTokens: 128_000, perMillionTokens: { input: '2' } },
            { inputTokens: 200_000, perMillionTokens: { input: '2.5', output: '15' } },
          ],
        },
      },
    ]);
  });

  it.each([
    ['large', ['large']],
    ['acme/small', ['acme/small']],
    ['acme/large', ['large']],
    ['medium', ['acme/medium', 'other/eu/medium']],
    ['arge', []],
    ['constructor', []],
  ])('should find %s with or without a provider', (model, names) => {
    const list = listOf({ large: {}, 'acme/small': {}, small: {}, 'acme/medium': {}, 'other/eu/medium': {} });
    expect(findEntries(list, model).map(({ name }) => name)).toEqual(names);
  });

  it('should ignore prices that are no numbers', () => {
    const price = { perMillionTokens: {}, above: [], perRequest: undefined, perThousandPages: undefined };
    expect(findEntries(listOf({ a: { input_cost_per_token: -1, output_cost_per_token: null } }), 'a')).toEqual([
      { name: 'a', price },
    ]);
  });
});

describe('parsePriceList', () => {
  it.each(['', 'text', '[]', '{}', 'null', '{ "a": 1 }'])('should reject %j', (text) => {
    expect(parsePriceList(text)).toBeUndefined();
  });
});
