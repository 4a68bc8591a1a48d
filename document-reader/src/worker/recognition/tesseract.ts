import { automatic, type Method, type ReadTable, sauvola, singleBlock } from '../../method.js';
import type { TextLine, TextWord } from '../../page.js';
import type { Raster } from '../image/raster.js';
import { readLostText } from './lost-text.js';

/** Tesseract fails with smaller and larger images, and the native program ends. */
const minSide = 7;
const maxSide = 32_767;

/** Recognizes text with the data of a language, or of several together. */
export class Tesseract {
  constructor(private readonly readTable: ReadTable) {}

  /**
   * Returns lines in reading order; none for an image that is too small or too large.
   *
   * @throws LoadError if the data of a language is missing or damaged
   */
  async recognize(image: Raster, languages: readonly string[], method: Partial<Method> = {}): Promise<TextLine[]> {
    const sides = [image.width, image.height];
    if (Math.min(...sides) < minSide || Math.max(...sides) > maxSide) return [];
    const { threshold = sauvola, segmentation = automatic } = method;
    const found = readTsv(await this.readTable(image, languages, { threshold, segmentation }));
    const lines = found.map((line) => correctMicroSigns(correctArticles(line, languages)));
    if (segmentation !== automatic) return lines;
    const readLost = (lost: Raster) => this.recognize(lost, languages, { threshold, segmentation: singleBlock });
    return [...lines, ...(await readLostText(image, lines, readLost))];
  }
}

/** Words that are misread as vertical bars, by language: the articles `il` and `i`, and the pronoun `il`. */
const misreadArticles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ita: { '||': 'Il', '|': 'I' },
  fra: { '||': 'Il' },
};

/** Corrects capitalized articles, which start a sentence. A bar before other text is left unchanged. */
export function correctArticles(line: TextLine, [language = '']: readonly string[]): TextLine {
  const corrections = misreadArticles[language];
  if (corrections === undefined) return line;
  return line.map((word, index) => {
    const isBeforeWord = /^\p{Ll}/u.test(line[index + 1]?.text ?? '');
    const text = isBeforeWord ? corrections[word.text] : undefined;
    return text === undefined ? word : { ...word, text };
  });
}

/** Corrects Greek words, in which Tesseract's data has the micro sign (U+00B5) for the letter mu (U+03BC). */
export function correctMicroSigns(line: TextLine): TextLine {
  return line.map((word) => {
    const isGreek = /\p{Script=Greek}/u.test(word.text);
    return isGreek ? { ...word, text: word.text.replaceAll('\u00b5', '\u03bc') } : word;
  });
}

const lineLevel = '4';
const wordLevel = '5';

/** Converts Tesseract's result table to lines. */
export function readTsv(tsv: string): TextLine[] {
  const lines: TextWord[][] = [];
  for (const row of tsv.split('\n')) {
    const [level, , , , , , left, top, width, height, confidence, text = ''] = row.split('\t');
    if (level === lineLevel) lines.push([]);
    if (level !== wordLevel || text.trim() === '') continue;
    const [x, y] = [Number(left), Number(top)];
    const box = { left: x, top: y, right: x + Number(width), bottom: y + Number(height) };
    lines.at(-1)?.push({ text: text.trim(), confidence: Math.round(Number(confidence) * 100) / 10_000, box });
  }
  return lines.filter((line) => line.length > 0);
}
