import fc from 'fast-check';
import {
  defaultModelFolder,
  readVocabulary,
} from '../../src/engines/embeddings/universal-sentence-encoder/model-files.js';
import { Tokenizer } from '../../src/engines/embeddings/universal-sentence-encoder/tokenizer.js';
import { tokenizeByReference } from './reference-runtime.js';

const vocabulary = readVocabulary(defaultModelFolder());
const tokenizer = new Tokenizer(vocabulary);

/** What the reference leaves to its caller. */
function normalized(text: string): string {
  const blanks = /[\s\p{Cc}\u200b\u200e\u200f\u2581]+/gu;
  return text.normalize('NFKC').toLowerCase().replace(blanks, ' ').trim();
}

async function expectSameIds(texts: readonly string[]): Promise<void> {
  const expected = await tokenizeByReference(texts.map(normalized));
  texts.forEach((text, index) => {
    expect({ text, ids: [...tokenizer.encode(text, 8192)] }).toEqual({ text, ids: expected[index] });
  });
}

describe('Tokenizer against the reference', () => {
  it('should give the same ids for texts of many kinds', async () => {
    await expectSameIds([
      'a',
      'The quick brown fox jumps over the lazy dog.',
      'In 2024, prices rose 3.5% (again!) -- see [1], [2] & "notes".',
      'Ångström, naïve café, Zażółć gęślą jaźń',
      'ＦＵＬＬ width, ﬁ ligature, ½ and ℡',
      '你好 世界, 漢字かな交じり文 mixed with English',
      '😀 !! 👩‍👩‍👧 family 🙂🙂🙂 ok',
      'smile :) or frown :( at https://example.com:8080/',
      'donaudampfschifffahrtsgesellschaft'.repeat(40),
      'Photosynthesis converts sunlight into chemical energy; '.repeat(60),
    ]);
  });

  it('should give the same ids for random texts', async () => {
    const piece = fc.constantFrom(...vocabulary.slice(6).map(([text]) => text.replace('\u2581', ' ')));
    const noise = fc.string({ unit: 'binary', maxLength: 8 });
    const text = fc
      .array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: noise }))
      .map((parts) => normalized(parts.join('')))
      // The reference takes a score of exactly zero, which only a colon at the start has, for "not reached".
      .filter((joined) => joined !== '' && !joined.startsWith(':'));
    await expectSameIds(fc.sample(text, { numRuns: 2_000 }));
  });
});
