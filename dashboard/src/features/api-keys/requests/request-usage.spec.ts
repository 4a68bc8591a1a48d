import { describeUsage } from './request-usage.js';

describe('describeUsage', () => {
  it.each([
    ['generated text', { inputTokens: 1200, outputTokens: 300, pages: 0 }, '1,200 tokens in, 300 out'],
    ['embeddings', { inputTokens: 1, outputTokens: 0, pages: 0 }, '1 token in'],
    ['an answer to nothing', { inputTokens: 0, outputTokens: 300, pages: 0 }, '300 tokens out'],
    ['OCR', { inputTokens: 0, outputTokens: 0, pages: 3 }, '3 pages'],
    ['OCR by a model', { inputTokens: 1200, outputTokens: 300, pages: 1 }, '1,200 tokens in, 300 out, 1 page'],
    ['a rejected request', { inputTokens: 0, outputTokens: 0, pages: 0 }, null],
  ])('should name the unit of %s', (_name, amounts, text) => {
    expect(describeUsage(amounts)).toBe(text);
  });
});
