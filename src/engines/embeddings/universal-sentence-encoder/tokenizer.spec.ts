import fc from 'fast-check';
import { defaultModelFolder, readVocabulary } from './model-files.js';
import { Tokenizer } from './tokenizer.js';

const MAX_TOKENS = 8192;
const vocabulary = readVocabulary(defaultModelFolder());
const tokenizer = new Tokenizer(vocabulary);

function encode(text: string): number[] {
  return [...tokenizer.encode(text, MAX_TOKENS)];
}

describe('Tokenizer', () => {
  it('should never throw nor give more tokens than there are characters and words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        const characters = [...text.normalize('NFKC').toLowerCase()].length;
        const count = encode(text).length;
        expect(count).toBeLessThanOrEqual(2 * characters);
      }),
    );
  });

  it('should give the same ids for two texts joined by a space as for each', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 600 });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(encode(`${left} ${right}`)).toEqual([...encode(left), ...encode(right)]);
      }),
    );
  });

  it('should not distinguish upper from lower case', () => {
    expect(encode('PLEASE RESET MY PASSWORD')).toEqual(encode('Please reset my password'));
  });

  it('should treat any run of blanks and control characters as one space', () => {
    expect(encode('\t one\r\n\u00a0 \u0000two\u2003')).toEqual(encode('one two'));
  });

  it.each(['', ' ', '\n\t\r', '\u0000\u0001\u007f', '\u3000\u00a0\ufeff\u200b'])(
    'should find no token in %j',
    (text) => {
      expect(encode(text)).toEqual([]);
    },
  );

  it.each([
    ['one letter', 'a'.repeat(10_000_000)],
    ['words', 'hello world '.repeat(800_000)],
    ['characters that normalisation makes longer', '\ufdfa'.repeat(2_000_000)],
    ['combining marks out of order', `a${'\u0301\u0323'.repeat(5_000_000)}`],
    ['known and unknown characters in turn', '漢a'.repeat(5_000_000)],
  ])('should stop soon after the limit in 10 MB of %s', (_, text) => {
    const count = tokenizer.encode(text, MAX_TOKENS).length;
    expect(count).toBeGreaterThan(MAX_TOKENS);
    expect(count).toBeLessThan(20 * MAX_TOKENS);
  });

  it('should count a stretch of unknown characters as one token, however long', () => {
    expect(encode('漢'.repeat(3_000_000))).toEqual(encode('漢'));
  });

  it('should reach the end of a text of which little remains', () => {
    expect(encode(`one${' '.repeat(3_000_000)}two`)).toEqual(encode('one two'));
  });

  it('should refuse a vocabulary without a mark for the start of a word', () => {
    expect(() => new Tokenizer(vocabulary.slice(0, 7))).toThrow('start of a word');
  });
});
