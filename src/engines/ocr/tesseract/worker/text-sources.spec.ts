import { charactersToLines, isUsableText } from './pdf-text-layer.js';
import { meanConfidence, readTsv } from './recognizer.js';

/** Characters of equal width, as PDFium gives them. */
const characters = (text: string) =>
  Array.from(text, (character, index) => ({
    text: character,
    box: { left: index, top: 0, right: index + 1, bottom: 2 },
  }));

const textsOf = (text: string) => charactersToLines(characters(text)).map((line) => line.map((word) => word.text));

describe('charactersToLines', () => {
  it('should part words and lines', () => {
    expect(textsOf('two words\r\n\r\nnext\u00a0line ')).toEqual([
      ['two', 'words'],
      ['next', 'line'],
    ]);
  });

  it('should put a box around each word', () => {
    const [words] = charactersToLines(characters('a word'));
    expect(words?.map(({ box }) => box)).toEqual([
      { left: 0, top: 0, right: 1, bottom: 2 },
      { left: 2, top: 0, right: 6, bottom: 2 },
    ]);
  });

  it('should take the sign for a hyphen at the end of a line as both', () => {
    expect(textsOf('light\u0002house')).toEqual([['light-'], ['house']]);
  });

  it('should leave out what has no meaning and compose what was taken apart', () => {
    expect(textsOf('u\u0308ber\u0007all')).toEqual([['überall']]);
  });
});

describe('isUsableText', () => {
  it.each([
    ['a page of prose', 'The lighthouse keeper wrote every evening. '.repeat(10), true, true],
    ['a short page', 'A page with one sentence.', true, false],
    ['a page number', 'Page 12', false, false],
    ['nothing', ' \n\u0000', false, false],
    ['letters without a known meaning', '\ue001\ue002\ufffd '.repeat(200), false, false],
  ])('should judge %s', (_, text, alone, overScan) => {
    expect([isUsableText(text, false), isUsableText(text, true)]).toEqual([alone, overScan]);
  });
});

describe('readTsv', () => {
  const tsv = [
    '4\t1\t1\t1\t1\t0\t10\t20\t100\t12\t-1\t',
    '5\t1\t1\t1\t1\t1\t10\t20\t40\t12\t96.123456\tOne',
    '5\t1\t1\t1\t1\t2\t60\t20\t50\t12\t50\tline',
    '4\t1\t1\t1\t2\t0\t10\t40\t100\t12\t-1\t',
    '5\t1\t1\t1\t2\t1\t10\t40\t40\t12\t95\t ',
    '',
  ].join('\n');

  it('should read the words of lines, and leave out those of nothing', () => {
    expect(readTsv(tsv)).toEqual([
      [
        { text: 'One', confidence: 0.9612, box: { left: 10, top: 20, right: 50, bottom: 32 } },
        { text: 'line', confidence: 0.5, box: { left: 60, top: 20, right: 110, bottom: 32 } },
      ],
    ]);
  });

  it('should weigh the confidence of words by their length', () => {
    expect(meanConfidence(readTsv(tsv))).toBeCloseTo((3 * 0.9612 + 4 * 0.5) / 7);
    expect(meanConfidence([])).toBe(0);
  });
});
