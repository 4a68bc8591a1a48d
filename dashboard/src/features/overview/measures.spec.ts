import { shownMeasures } from './measures.js';

const sums = { requests: 3, failures: 0, cost: null, unpricedRequests: 3 };
const tokens = shownMeasures(false).find(({ label }) => label === 'Tokens');

describe('The note of tokens', () => {
  it.each([
    ['generated text', 1_200_000, 300, '1.2M in, 300 out'],
    ['embeddings, without output', 1_200_000, 0, undefined],
    ['OCR, without tokens', 0, 0, undefined],
  ])('should be left out if it would repeat the figure: %s', (_title, inputTokens, outputTokens, expected) => {
    expect(tokens?.note?.({ ...sums, inputTokens, outputTokens })).toBe(expected);
  });
});
