import type { TextLine } from '../page.js';
import { mergeReadings } from './merge-readings.js';

/** A line with one word, at a position from the top of the page. */
const line = (row: number, text: string, confidence: number): TextLine => [
  { text, confidence, box: { left: 0, top: 20 * row, right: 100, bottom: 20 * row + 10 } },
];
const textOf = (lines: readonly TextLine[]) => lines.map((words) => words.map(({ text }) => text).join(' '));

const english = { language: 'eng', lines: [line(0, 'The street', 0.96), line(1, 'Die StraBe', 0.6)] };
const german = { language: 'deu', lines: [line(0, 'Thé street', 0.8), line(1, 'Die Straße', 0.96)] };

describe('mergeReadings', () => {
  it('should choose the most confident reading of each line', () => {
    const { lines, languages } = mergeReadings([english, german], ['eng', 'deu']);
    expect(textOf(lines)).toEqual(['The street', 'Die Straße']);
    expect(languages.sort()).toEqual(['deu', 'eng']);
  });

  it('should only take lines from languages of the page', () => {
    const { lines, languages } = mergeReadings([english, german], ['deu']);
    expect(textOf(lines)).toEqual(['Thé street', 'Die Straße']);
    expect(languages).toEqual(['deu']);
  });

  it('should keep the first reading if another one is hardly more confident', () => {
    const italian = { language: 'ita', lines: [line(0, 'The strèet', 0.965)] };
    const first = { language: 'eng', lines: [line(0, 'The street', 0.96)] };
    expect(mergeReadings([first, italian], ['ita']).languages).toEqual(['eng']);
  });

  it('should not replace a line by one in another place', () => {
    const other = { language: 'deu', lines: [line(5, 'Die Straße', 0.99)] };
    expect(textOf(mergeReadings([english, other], ['eng', 'deu']).lines)).toEqual(['Die Straße']);
  });
});
