import { modelWith, useModelsFile } from '../../../../test/setup/models-file.js';

const file = useModelsFile();
const targets = "targets: [{ baseUrl: 'http://localhost' }]";
const embeddings = (price: string) => modelWith(`task: embeddings\n${targets}\nprice: ${price}`);
const ocr = (price: string) => modelWith(`engine: tesseract\nprice: ${price}`);
const priceIn = (content: string) => file.read(content)[0]?.price;

describe('readModelsFile with prices', () => {
  it('should read prices and their currency', () => {
    file.write(`currency: EUR
models:
  - { id: a, task: embeddings, price: { perMillionTokens: { input: 0.02 } }, ${targets} }
  - { id: b, engine: tesseract, price: { perThousandPages: 1, perRequest: '0.10' } }
`);
    const { currency, models } = file.readAll();
    expect(currency).toBe('EUR');
    expect(models.map(({ price }) => price)).toEqual([
      { perMillionTokens: { input: '0.02' } },
      { perThousandPages: '1', perRequest: '0.1' },
    ]);
  });

  it.each([
    ['0.02', '0.02'],
    ['"0.020"', '0.02'],
    ['1.25e-06', '0.00000125'],
    ['.5', '0.5'],
    ['1', '1'],
    ['1000000', '1000000'],
    ['0.300000000000001', '0.300000000000001'],
    ['123456.789012345678901', '123456.789012345678901'],
    ['100000.123456789012345', '100000.123456789012345'],
  ])('should take the text of the number %s exactly', (written, input) => {
    expect(priceIn(embeddings(`{ perMillionTokens: ${written} }`))).toEqual({ perMillionTokens: { input } });
  });

  it('should take numbers exactly behind YAML anchors, and leave thresholds numbers', () => {
    const content = embeddings(`&price
  perMillionTokens: &tokens { input: 100000.123456789012345 }
  above: [{ inputTokens: 200000, perMillionTokens: *tokens }, { inputTokens: 1000, perMillionTokens: 2 }]`);
    const tokens = { input: '100000.123456789012345' };
    expect(priceIn(content)).toEqual({
      perMillionTokens: tokens,
      above: [
        { inputTokens: 1000, perMillionTokens: { input: '2' } },
        { inputTokens: 200_000, perMillionTokens: tokens },
      ],
    });
  });

  it.each([
    [
      '{ perMillionTokens: 1 }',
      ['models[0].price must have perThousandPages', 'models[0].price.perMillionTokens must be omitted'],
    ],
    [
      '{ perThousandPages: 1, above: [{ inputTokens: 1, perMillionTokens: {} }] }',
      ['models[0].price.above must be omitted'],
    ],
    ['{}', ['models[0].price must have perThousandPages']],
  ])('should reject an OCR model with the price %s', (price, problems) => {
    const expected = problems.map((problem) => `${problem}, because the task is ocr`);
    expect(file.problemsOf(ocr(price))).toEqual(expected);
  });

  it.each([
    ['{}', 'models[0].price must have perMillionTokens.input'],
    ['{ perRequest: 1 }', 'models[0].price must have perMillionTokens.input'],
    ['{ perMillionTokens: { input: 1, output: 1 } }', 'models[0].price.perMillionTokens.output must be omitted'],
    [
      '{ perMillionTokens: { input: 1, cacheWrite1h: 1 } }',
      'models[0].price.perMillionTokens.cacheWrite1h must be omitted',
    ],
    ['{ perMillionTokens: 1, perThousandPages: 1 }', 'models[0].price.perThousandPages must be omitted'],
    [
      '{ perMillionTokens: 1, above: [{ inputTokens: 1, perMillionTokens: { reasoning: 1 } }] }',
      'models[0].price.above[0].perMillionTokens.reasoning must be omitted',
    ],
  ])('should reject an embeddings model with the price %s', (price, problem) => {
    expect(file.problemsOf(embeddings(price))).toEqual([`${problem}, because the task is embeddings`]);
  });

  const number = 'must be a number from 0 to 1000000 with at most 15 decimals';
  it.each([
    ['{ perMillionTokens: -1 }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: 1000000.1 }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: .inf }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: "" }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: "1,5" }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: { input: 0.1234567890123456 } }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: { input: [1] } }', `perMillionTokens.input ${number}`],
    ['{ perMillionTokens: 1, perRequest: free }', `perRequest ${number}`],
    ['{ perMillionTokens: true }', 'perMillionTokens must be a mapping, such as "key: value"'],
    [
      '{ perMillionTokens: { input: 1, audio: 1 } }',
      /^perMillionTokens\.audio is unknown; known fields are input, cached/,
    ],
    ['{ perMillionTokens: 1, perImage: 1 }', /^perImage is unknown; known fields are perMillionTokens, perRequest, /],
    ['{ perMillionTokens: 1, above: [] }', 'above must be a list with at least one item'],
    [
      '{ perMillionTokens: 1, above: [{ inputTokens: 0.5, perMillionTokens: 2 }] }',
      'above[0].inputTokens must be a whole number from 1 to 2147483647',
    ],
    [
      '{ perMillionTokens: 1, above: [{ inputTokens: 5 }] }',
      'above[0].perMillionTokens must be a mapping, such as "key: value"',
    ],
    [
      '{ perMillionTokens: 1, above: [{ inputTokens: 5, perMillionTokens: 2 }, { inputTokens: 5, perMillionTokens: 3 }] }',
      'above must name each inputTokens once',
    ],
  ])('should reject the price %s', (price, problem) => {
    const [found, ...others] = file.problemsOf(embeddings(price));
    expect(others).toEqual([]);
    if (typeof problem === 'string') expect(found).toBe(`models[0].price.${problem}`);
    else expect(found?.replace('models[0].price.', '')).toMatch(problem);
  });

  it('should reject a price that is no mapping', () => {
    expect(file.problemsOf(embeddings('1'))).toEqual(['models[0].price must be a mapping, such as "key: value"']);
  });
});
