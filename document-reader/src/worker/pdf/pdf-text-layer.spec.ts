import { charactersToLines, isUsableText } from './pdf-text-layer.js';

/** Characters of equal width, like those from PDFium. */
const characters = (text: string) =>
  Array.from(text, (character, index) => ({
    text: character,
    box: { left: index, top: 0, right: index + 1, bottom: 2 },
  }));

const textsOf = (text: string) => charactersToLines(characters(text)).map((line) => line.map((word) => word.text));

describe('charactersToLines', () => {
  it('should split text into words and lines', () => {
    expect(textsOf('two words\r\n\r\nnext\u00a0line ')).toEqual([
      ['two', 'words'],
      ['next', 'line'],
    ]);
  });

  it('should return the box around each word', () => {
    const [words] = charactersToLines(characters('a word'));
    expect(words?.map(({ box }) => box)).toEqual([
      { left: 0, top: 0, right: 1, bottom: 2 },
      { left: 2, top: 0, right: 6, bottom: 2 },
    ]);
  });

  it('should replace the end-of-line hyphen of PDFium with a hyphen and a line break', () => {
    expect(textsOf('light\u0002house')).toEqual([['light-'], ['house']]);
  });

  it('should omit control characters, and compose decomposed characters', () => {
    expect(textsOf('u\u0308ber\u0007all')).toEqual([['überall']]);
  });
});

describe('isUsableText', () => {
  it.each([
    ['accept a page of prose, even on a scan', 'The lighthouse keeper wrote every evening. '.repeat(10), true, true],
    ['accept a short page, but not on a scan', 'A page with one sentence.', true, false],
    ['reject a page number', 'Page 12', false, false],
    ['reject an empty text layer', ' \n\u0000', false, false],
    ['reject characters without a known meaning', '\ue001\ue002\ufffd '.repeat(200), false, false],
  ])('should %s', (_, text, alone, onScan) => {
    expect([isUsableText(text, false), isUsableText(text, true)]).toEqual([alone, onScan]);
  });
});
