import { type Box, boxAround, type TextLine, type TextWord } from '../layout/text.js';
import { maxPageCharacters } from '../limits.js';
import { PageFailure } from './opened-document.js';
import { isScan, pageSize } from './pdf-page.js';
import { type Pdfium, viewMemory, withMemory } from './pdfium.js';

const DOUBLE_BYTES = 8;
/**
 * The lines of the page's own text; undefined when it has none, or none that says what the page shows.
 *
 * @throws PageFailure when there is too much of it
 */
export function readTextLayer(pdfium: Pdfium, page: number): TextLine[] | undefined {
  const textPage = pdfium._FPDFText_LoadPage(page);
  if (textPage === 0) return undefined;
  try {
    const count = pdfium._FPDFText_CountChars(textPage);
    if (count > maxPageCharacters) throw new PageFailure(`has more than ${maxPageCharacters} characters.`);
    const texts = Array.from({ length: Math.max(0, count) }, (_, index) => textAt(pdfium, textPage, index));
    if (!isUsableText(texts.join(''), isScan(pdfium, page))) return undefined;
    const toShown = shownCoordinates(pdfium, page);
    return charactersToLines(texts.map((text, index) => ({ text, box: toShown(boxAt(pdfium, textPage, index)) })));
  } finally {
    pdfium._FPDFText_ClosePage(textPage);
  }
}

function textAt(pdfium: Pdfium, textPage: number, index: number): string {
  const code = pdfium._FPDFText_GetUnicode(textPage, index);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** In the page's own coordinates, whose y axis points up. */
function boxAt(pdfium: Pdfium, textPage: number, index: number): Box {
  return withMemory(pdfium, 4 * DOUBLE_BYTES, (pointer) => {
    const at = (place: number) => pointer + place * DOUBLE_BYTES;
    pdfium._FPDFText_GetCharBox(textPage, index, at(0), at(1), at(2), at(3));
    const memory = viewMemory(pdfium);
    const read = (place: number) => memory.getFloat64(at(place), true);
    return { left: read(0), right: read(1), bottom: read(2), top: read(3) };
  });
}

/** Steps per point: coordinates of a page as it is shown come as whole numbers. */
const STEPS = 20;
/** Long enough for the rounding to disappear. */
const UNIT_POINTS = 1_000;
const INTEGER_BYTES = 4;

/** From the page's own coordinates to those of the page as it is shown: turned, cut, and from the top down. */
export function shownCoordinates(pdfium: Pdfium, page: number): (box: Box) => Box {
  const origin = toDevice(pdfium, page, 0, 0);
  const [acrossX, acrossY] = subtract(toDevice(pdfium, page, UNIT_POINTS, 0), origin);
  const [upX, upY] = subtract(toDevice(pdfium, page, 0, UNIT_POINTS), origin);
  const show = (x: number, y: number) => ({
    x: origin[0] + (acrossX * x + upX * y) / UNIT_POINTS,
    y: origin[1] + (acrossY * x + upY * y) / UNIT_POINTS,
  });
  return ({ left, top, right, bottom }) => {
    const [one, other] = [show(left, top), show(right, bottom)];
    return {
      left: Math.min(one.x, other.x),
      right: Math.max(one.x, other.x),
      top: Math.min(one.y, other.y),
      bottom: Math.max(one.y, other.y),
    };
  };
}

type Point = readonly [x: number, y: number];

const subtract = (left: Point, right: Point): Point => [left[0] - right[0], left[1] - right[1]];

function toDevice(pdfium: Pdfium, page: number, x: number, y: number): Point {
  const { width, height } = pageSize(pdfium, page);
  return withMemory(pdfium, 2 * INTEGER_BYTES, (pointer) => {
    const size = [Math.round(width * STEPS), Math.round(height * STEPS)] as const;
    pdfium._FPDF_PageToDevice(page, 0, 0, ...size, 0, x, y, pointer, pointer + INTEGER_BYTES);
    const memory = viewMemory(pdfium);
    return [memory.getInt32(pointer, true), memory.getInt32(pointer + INTEGER_BYTES, true)];
  });
}

/** One character of a text layer; empty when it has no meaning. */
export interface Character {
  readonly text: string;
  readonly box: Box;
}

/** PDFium's sign for a hyphen at the end of a line, which it gives instead of the hyphen and the line's end. */
const LINE_END_HYPHENS = ['\u0002', '\ufffe'];

/** Groups the characters of a text layer, which come in reading order with spaces and line ends among them. */
export function charactersToLines(characters: readonly Character[]): TextLine[] {
  const lines: TextWord[][] = [];
  let line: TextWord[] = [];
  let word: Character[] = [];
  const endWord = () => {
    if (word.length > 0) line.push(toWord(word));
    word = [];
  };
  const endLine = () => {
    endWord();
    if (line.length > 0) lines.push(line);
    line = [];
  };
  for (const character of characters) {
    const { text, box } = character;
    if (LINE_END_HYPHENS.includes(text)) {
      word.push({ text: '-', box });
      endLine();
    } else if (/^[\r\n]$/.test(text)) endLine();
    else if (/^\s$/.test(text)) endWord();
    else if (!/^\p{Cc}?$/u.test(text)) word.push(character);
  }
  endLine();
  return lines;
}

function toWord(characters: readonly Character[]): TextWord {
  const text = characters.map((character) => character.text).join('');
  return { text: text.normalize('NFC'), confidence: 1, box: boxAround(characters.map(({ box }) => box)) };
}

/** A scan often carries a page number or a stamp as text; a page that is text holds more. */
const LEAST_CHARACTERS = 20;
/** Where a picture fills the page, a line or two of text are a stamp on it. */
const LEAST_CHARACTERS_ON_SCAN = 200;
const LEAST_LEGIBLE_SHARE = 0.8;

/** Whether the text of a page's layer can stand for what the page shows. */
export function isUsableText(text: string, isScan: boolean): boolean {
  const visible = text.replace(/[\s\p{Cc}]/gu, '');
  // Letters without a known meaning come as replacement characters or from the areas for private use.
  const legible = visible.replace(/[\ufffd\p{Co}\p{Cn}\p{Cs}]/gu, '');
  if (legible.length < LEAST_LEGIBLE_SHARE * visible.length) return false;
  return legible.length >= (isScan ? LEAST_CHARACTERS_ON_SCAN : LEAST_CHARACTERS);
}
