import type { TextLine } from '../../page.js';
import { areDetectable, detectLanguages, mergeReadings } from './languages.js';

const candidates = ['eng', 'deu', 'fra'];

/** @param confidence of all words */
const lines = (confidence: number, ...texts: string[]): TextLine[] =>
  texts.map((text) =>
    text.split(' ').map((word) => ({ text: word, confidence, box: { left: 0, top: 0, right: 1, bottom: 1 } })),
  );

// As read with English data.
const german = lines(
  0.8,
  'Der Backer offnete friih am Morgen die Tiir seines Ladens. Uber Nacht',
  'hatte es geschneit, und die StraBe lag weil3 und still vor ihm. Er',
);
const english = lines(
  0.96,
  'The lighthouse keeper wrote every evening, whatever the weather had',
  'brought. He noted the ships that passed, the direction of the wind and',
);

describe('detectLanguages', () => {
  it('should detect the main language from text without accents', () => {
    expect(detectLanguages(german, candidates)).toEqual(['deu']);
    expect(detectLanguages(english, candidates)).toEqual(['eng']);
  });

  it('should detect another language of a large part of the page', () => {
    expect(detectLanguages([...english, ...german], candidates).sort()).toEqual(['deu', 'eng']);
  });

  it('should assign parts that were read well to the current language', () => {
    const readWell = german.map((line) => line.map((word) => ({ ...word, confidence: 0.96 })));
    expect(detectLanguages([...english, ...english, ...readWell], candidates, 'eng')).toEqual(['eng']);
    expect(detectLanguages([...german, ...english], candidates, 'eng').sort()).toEqual(['deu', 'eng']);
  });

  it('should not judge a text of a few words', () => {
    expect(detectLanguages(lines(0.9, 'Herr Müller 4711'), candidates)).toEqual([]);
    expect(detectLanguages([], candidates)).toEqual([]);
  });
});

describe('areDetectable', () => {
  it('should be false for languages that the detector does not know, or that use another script', () => {
    expect(areDetectable(['eng', 'deu', 'fra', 'spa', 'ita', 'por', 'nld'])).toBe(true);
    expect(areDetectable(['eng', 'rus'])).toBe(false);
    expect(areDetectable(['frk'])).toBe(false);
  });
});

/** A line with one word, at a position from the top of the page. */
const line = (row: number, text: string, confidence: number): TextLine => [
  { text, confidence, box: { left: 0, top: 20 * row, right: 100, bottom: 20 * row + 10 } },
];
const textOf = (lines: readonly TextLine[]) => lines.map((words) => words.map(({ text }) => text).join(' '));

const readAsEnglish = { language: 'eng', lines: [line(0, 'The street', 0.96), line(1, 'Die StraBe', 0.6)] };
const readAsGerman = { language: 'deu', lines: [line(0, 'Thé street', 0.8), line(1, 'Die Straße', 0.96)] };

describe('mergeReadings', () => {
  it('should choose the most confident reading of each line', () => {
    const { lines, languages } = mergeReadings([readAsEnglish, readAsGerman], ['eng', 'deu']);
    expect(textOf(lines)).toEqual(['The street', 'Die Straße']);
    expect(languages.sort()).toEqual(['deu', 'eng']);
  });

  it('should only take lines from languages of the page', () => {
    const { lines, languages } = mergeReadings([readAsEnglish, readAsGerman], ['deu']);
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
    expect(textOf(mergeReadings([readAsEnglish, other], ['eng', 'deu']).lines)).toEqual(['Die Straße']);
  });
});
