import fc from 'fast-check';
import { defaultModelFolder, readVocabulary } from './model-files.js';
import { Tokenizer } from './tokenizer.js';

const maxTokens = 8192;
const vocabulary = readVocabulary(defaultModelFolder());
const tokenizer = new Tokenizer(vocabulary);

function encode(text: string): number[] {
  return [...tokenizer.encode(text, maxTokens)];
}

describe('Tokenizer', () => {
  it('should never throw or return more than two tokens per character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const characters = [...text.normalize('NFKC').toLowerCase()].length;
        const count = encode(text).length;
        expect(count).toBeLessThanOrEqual(2 * characters);
      }),
    );
  });

  it('should return the same ids for two texts joined by a space as for each of them', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 600 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(encode(`${left} ${right}`)).toEqual([...encode(left), ...encode(right)]);
      }),
    );
  });

  it('should ignore case', () => {
    expect(encode('PLEASE RESET MY PASSWORD')).toEqual(encode('Please reset my password'));
  });

  it('should treat any run of whitespace and control characters as one space', () => {
    expect(encode('\t one\r\n\u00a0 \u0000two\u2003')).toEqual(encode('one two'));
  });

  it.each(['', ' ', '\n\t\r', '\u0000\u0001\u007f', '\u3000\u00a0\ufeff\u200b'])(
    'should return no tokens for %j',
    (text) => {
      expect(encode(text)).toEqual([]);
    },
  );

  it.each([
    ['one letter', 'a'.repeat(10_000_000)],
    ['words', 'hello world '.repeat(800_000)],
    ['characters that expand when normalized', '\ufdfa'.repeat(2_000_000)],
    ['combining marks out of order', `a${'\u0301\u0323'.repeat(5_000_000)}`],
    ['alternating known and unknown characters', '漢a'.repeat(5_000_000)],
  ])('should stop soon after the limit in a huge text of %s', (_, text) => {
    const count = tokenizer.encode(text, maxTokens).length;
    expect(count).toBeGreaterThan(maxTokens);
    expect(count).toBeLessThan(20 * maxTokens);
  });

  it('should count consecutive unknown characters as one token, however many', () => {
    expect(encode('漢'.repeat(3_000_000))).toEqual(encode('漢'));
  });

  it('should read to the end of a text that is mostly whitespace', () => {
    expect(encode(`one${' '.repeat(3_000_000)}two`)).toEqual(encode('one two'));
  });

  it('should reject a vocabulary without a symbol for the start of a word', () => {
    expect(() => new Tokenizer(vocabulary.slice(0, 7))).toThrow('start of a word');
  });
});
