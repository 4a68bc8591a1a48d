import { UniversalSentenceEncoderEngine } from '../../src/engines/embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';
import type { TokenizedTexts } from '../../src/engines/embeddings/embedding-engine.js';
import { paraphrases } from './paraphrases.js';
import { embedWithReference } from './reference-runtime.js';

const never = new AbortController().signal;
const engine = new UniversalSentenceEncoderEngine({ threads: 2 });
const { dimensions, maxTokensPerText } = await engine.describe();

async function embed(...texts: string[]): Promise<Float32Array[]> {
  const { signal } = new AbortController();
  return engine.embed(await engine.tokenize(texts, signal), signal);
}

function dot(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return Array.from(left).reduce((sum, value, index) => sum + value * (right[index] ?? NaN), 0);
}

function maxDifference(left: ArrayLike<number>, right: ArrayLike<number>): number {
  expect(left).toHaveLength(right.length);
  return Math.max(...Array.from(left, (value, index) => Math.abs(value - (right[index] ?? NaN))));
}

describe('UniversalSentenceEncoderEngine', () => {
  afterAll(() => engine.close());

  it('should return the same vectors as the reference runtime', async () => {
    const texts = [
      'Hello world',
      'a',
      'The quick brown fox jumps over the lazy dog.',
      'Zażółć gęślą jaźń 你好 😀 !!',
      'I LIKE capital LETTERS, 42 of them (at least).',
      'Photosynthesis converts sunlight into energy; '.repeat(6).trim(),
      ...paraphrases.flat(),
    ];
    const [ours, theirs] = [await embed(...texts), await embedWithReference(texts.map((text) => text.toLowerCase()))];
    ours.forEach((vector, index) => expect(maxDifference(vector, theirs[index] ?? [])).toBeLessThan(1e-5));
  });

  it('should rank the paraphrase of a sentence above all other sentences', async () => {
    const vectors = await embed(...paraphrases.flat());
    const found = vectors.filter((vector, index) => {
      const similarities = vectors.map((other, otherIndex) => (otherIndex === index ? -1 : dot(vector, other)));
      // Pairs are adjacent: 0 and 1, 2 and 3, and so on.
      return similarities.indexOf(Math.max(...similarities)) === (index ^ 1);
    });
    expect(found.length / vectors.length).toBeGreaterThanOrEqual(0.95);
  });

  it('should return vectors of length 1', async () => {
    for (const vector of await embed('One sentence.', 'many words '.repeat(500))) {
      expect(vector).toHaveLength(dimensions);
      expect(dot(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it('should ignore case', async () => {
    const [upper, sentence] = await embed('PLEASE RESET MY PASSWORD.', 'Please reset my password.');
    expect(upper).toEqual(sentence);
  });

  it('should return the same vector for a text alone and in a batch', async () => {
    const texts = paraphrases.flat();
    const together = await embed(...texts);
    for (const [index, text] of texts.entries()) {
      const [alone] = await embed(text);
      expect(maxDifference(alone ?? [], together[index] ?? [])).toBeLessThan(1e-6);
    }
  });

  it('should return their own vectors to concurrent requests, in order', async () => {
    const texts = Array.from(
      { length: 120 },
      (_, index) => `Sentence number ${index} ${'and so on '.repeat(index % 30)}`,
    );
    const expected = await embed(...texts);
    const requests = Array.from({ length: 40 }, (_, index) => texts.slice(3 * index, 3 * index + 3));
    const results = await Promise.all(requests.map((request) => embed(...request)));
    results.flat().forEach((vector, index) => {
      expect(maxDifference(vector, expected[index] ?? [])).toBeLessThan(1e-6);
    });
  });

  it('should embed every part of a long text', async () => {
    const part = (subject: string): string => `${subject} `.repeat(128);
    // Every word is one token, so each part is one window.
    const parts = [part('dog'), part('money'), part('music')];
    const [whole, ...windows] = await embed(parts.join(''), ...parts);
    const mean = Array.from({ length: dimensions }, (_, index) =>
      windows.reduce((sum, window) => sum + (window[index] ?? NaN), 0),
    );
    const norm = Math.hypot(...mean);
    expect(
      maxDifference(
        whole ?? [],
        mean.map((value) => value / norm),
      ),
    ).toBeLessThan(1e-6);
  });

  it('should embed a text with the maximum number of tokens, and reject one more', async () => {
    const longest = await engine.tokenize(['dog '.repeat(maxTokensPerText)], never);
    expect(longest.tokenCounts).toEqual([8192]);
    await expect(engine.embed(longest, never)).resolves.toHaveLength(1);
    const tooMany = await engine.tokenize(['fine', 'dog '.repeat(maxTokensPerText + 1)], never);
    expect(tooMany.tokenCounts).toEqual([1, 8193]);
    await expect(engine.embed(tooMany, never)).rejects.toThrow(RangeError);
  });

  it('should tokenize a long text in a worker the same way as its parts inline', async () => {
    const sentence = paraphrases.flat().join(' ');
    const [short, long] = [
      await engine.tokenize([sentence], never),
      await engine.tokenize([`${sentence} ${sentence} ${sentence}`], never),
    ];
    expect(sentence.length).toBeLessThan(4_096);
    expect(long.tokenCounts[0]).toBe(3 * (short.tokenCounts[0] ?? NaN));
  });

  it('should return no tokens and a zero vector for texts without content', async () => {
    const texts = await engine.tokenize(['', ' \n', '\u0000\u0007', 'word'], never);
    expect(texts.tokenCounts).toEqual([0, 0, 0, 1]);
    const vectors = await engine.embed(texts, never);
    expect(vectors.map((vector) => Math.round(dot(vector, vector)))).toEqual([0, 0, 0, 1]);
  });

  it('should reject the tokens of another engine', async () => {
    const foreign: TokenizedTexts = { tokenCounts: [1], hasUnknownText: false, pick: () => foreign };
    await expect(engine.embed(foreign, never)).rejects.toThrow(TypeError);
  });
});
