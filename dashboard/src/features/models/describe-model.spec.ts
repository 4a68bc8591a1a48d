import { describeLimits, describePrice } from './describe-model.js';

describe('describePrice', () => {
  it('should name the currency and the unit', () => {
    const perMillionTokens = { input: '0.02' };
    expect(describePrice({ currency: 'USD', perMillionTokens })).toEqual(['US$0.02 per million tokens']);
    expect(describePrice({ currency: 'EUR', perThousandPages: '1.5', perRequest: '0.0000001' })).toEqual([
      '€1.50 per thousand pages',
      '€0.0000001 per request',
    ]);
  });

  it('should name the kinds of tokens, and the requests that have other prices', () => {
    const perMillionTokens = { output: '10', input: '2.5', cachedInput: '0.25' };
    const above = [{ inputTokens: 200_000, perMillionTokens: { input: '5' } }];
    expect(describePrice({ currency: 'EUR', perMillionTokens, above })).toEqual([
      'Input: €2.50 per million tokens',
      'Cached input: €0.25 per million tokens',
      'Output: €10.00 per million tokens',
      'Input, if more than 200,000 input tokens: €5.00 per million tokens',
    ]);
  });
});

describe('describeLimits', () => {
  it('should list the limits that are known', () => {
    const engine = { name: 'static', state: 'idle', maxInputs: 2048, maxTokens: 300_000 } as const;
    expect(describeLimits(engine)).toEqual(['2,048 texts', '300,000 tokens in total']);
    expect(describeLimits({ ...engine, maxTokensPerInput: 512 })).toEqual([
      '2,048 texts',
      '512 tokens per text',
      '300,000 tokens in total',
    ]);
  });

  it('should describe documents in MB', () => {
    const engine = { name: 'tesseract', state: 'ready', maxDocumentBytes: 52_428_800, maxDocumentPages: 1000 } as const;
    expect(describeLimits(engine)).toEqual(['50 MB per document', '1,000 pages per document']);
  });
});
