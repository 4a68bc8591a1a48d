import type { TextLine } from '../page.js';
import { areDetectable, detectLanguages } from './detect-languages.js';

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
