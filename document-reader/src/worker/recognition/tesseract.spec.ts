import { meanConfidence, type TextLine } from '../../page.js';
import { correctArticles, correctMicroSigns, readTsv } from './tesseract.js';

const tsv = [
  '4\t1\t1\t1\t1\t0\t10\t20\t100\t12\t-1\t',
  '5\t1\t1\t1\t1\t1\t10\t20\t40\t12\t96.123456\tOne',
  '5\t1\t1\t1\t1\t2\t60\t20\t50\t12\t50\tline',
  '4\t1\t1\t1\t2\t0\t10\t40\t100\t12\t-1\t',
  '5\t1\t1\t1\t2\t1\t10\t40\t40\t12\t95\t ',
  '',
].join('\n');

describe('readTsv', () => {
  it('should return lines with their words, and omit empty words and lines', () => {
    expect(readTsv(tsv)).toEqual([
      [
        { text: 'One', confidence: 0.9612, box: { left: 10, top: 20, right: 50, bottom: 32 } },
        { text: 'line', confidence: 0.5, box: { left: 60, top: 20, right: 110, bottom: 32 } },
      ],
    ]);
  });
});

describe('meanConfidence', () => {
  it('should weight words by their length', () => {
    expect(meanConfidence(readTsv(tsv))).toBeCloseTo((3 * 0.9612 + 4 * 0.5) / 7);
    expect(meanConfidence([])).toBe(0);
  });
});

describe('correctArticles', () => {
  const lineOf = (text: string): TextLine =>
    text.split(' ').map((word) => ({ text: word, confidence: 0.9, box: { left: 0, top: 0, right: 1, bottom: 1 } }));
  const textOf = (line: TextLine) => line.map(({ text }) => text).join(' ');

  it('should read bars before a word as articles in Italian and French', () => {
    expect(textOf(correctArticles(lineOf('|| treno e | libri'), ['ita']))).toBe('Il treno e I libri');
    expect(textOf(correctArticles(lineOf('|| craignait'), ['fra']))).toBe('Il craignait');
  });

  it('should keep bars in other places and languages', () => {
    expect(textOf(correctArticles(lineOf('12 || 14 |'), ['ita']))).toBe('12 || 14 |');
    expect(textOf(correctArticles(lineOf('|| boats'), ['eng']))).toBe('|| boats');
  });
});

describe('correctMicroSigns', () => {
  const box = { left: 0, top: 0, right: 1, bottom: 1 };
  const correct = (...texts: string[]) =>
    correctMicroSigns(texts.map((text) => ({ text, confidence: 1, box }))).map(({ text }) => text);

  it('should write mu in Greek words only', () => {
    expect(correct('ανέ\u00b5ου', '5', '\u00b5m')).toEqual(['ανέ\u03bcου', '5', '\u00b5m']);
  });
});
