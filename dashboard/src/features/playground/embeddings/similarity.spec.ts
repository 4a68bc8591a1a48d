import { colorStrength, cosineSimilarity, formatSimilarity, similarityMatrix } from './similarity.js';

describe('cosineSimilarity', () => {
  it.each([
    { one: [3, 4], other: [3, 4], expected: 1 },
    { one: [1, 2], other: [10, 20], expected: 1 },
    { one: [1, 0], other: [0, 5], expected: 0 },
    { one: [1, -2], other: [-1, 2], expected: -1 },
    { one: [1, 0], other: [1, 1], expected: Math.SQRT1_2 },
  ])('should be $expected for $one and $other', ({ one, other, expected }) => {
    expect(cosineSimilarity(one, other)).toBeCloseTo(expected, 12);
  });

  it('should be 0 for a zero vector', () => {
    expect(cosineSimilarity([0, 0], [1, 1])).toBe(0);
  });
});

describe('similarityMatrix', () => {
  it('should compare every vector with every vector', () => {
    expect(
      similarityMatrix([
        [1, 0],
        [0, 1],
        [2, 0],
      ]),
    ).toEqual([
      [1, 0, 1],
      [0, 1, 0],
      [1, 0, 1],
    ]);
  });
});

describe('colorStrength', () => {
  it.each([
    { similarity: -1, strength: 0 },
    { similarity: 0.04, strength: 0 },
    { similarity: 0.46, strength: 50 },
    { similarity: 1.0000001, strength: 100 },
  ])('should be $strength% for $similarity', ({ similarity, strength }) => {
    expect(colorStrength(similarity)).toBe(strength);
  });
});

describe('formatSimilarity', () => {
  it.each([
    { similarity: 0.456, text: '0.46' },
    { similarity: -0.001, text: '0.00' },
    { similarity: 0.9999999, text: '1.00' },
    { similarity: -0.25, text: '-0.25' },
  ])('should format $similarity as $text', ({ similarity, text }) => {
    expect(formatSimilarity(similarity)).toBe(text);
  });
});
