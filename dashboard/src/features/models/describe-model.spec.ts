import { describeLimits, describePrice } from './describe-model.js';

describe('describePrice', () => {
  it('should name the currency and the unit', () => {
    expect(describePrice({ currency: 'USD', perMillionTokens: 0.02 })).toBe('US$0.02 per million tokens');
    expect(describePrice({ currency: 'EUR', perThousandPages: 1.5 })).toBe('€1.50 per thousand pages');
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
