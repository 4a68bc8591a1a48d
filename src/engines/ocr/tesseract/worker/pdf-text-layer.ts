import { maxPageCharacters } from '../limits.js';
import { type Box, boxAround, PageFailure, type TextLine, type TextWord } from '../page.js';
import { type Pdfium, pageSize, viewMemory, withMemory } from './pdfium.js';

const doubleBytes = 8;
const floatBytes = 4;
const integerBytes = 4;

/**
 * Returns the lines of a page's text layer; undefined if there is none, or if it doesn't match the page.
 *
 * @throws PageFailure if it has too many characters
 */
export function readTextLayer(pdfium: Pdfium, page: number): TextLine[] | undefined {
  const textPage = pdfium._FPDFText_LoadPage(page);
  if (textPage === 0) return undefined;
  try {
    const count = pdfium._FPDFText_CountChars(textPage);
    if (count > maxPageCharacters) throw new PageFailure(`has more than ${maxPageCharacters} characters.`);
    const texts = Array.from({ length: Math.max(0, count) }, (_, index) => textAt(pdfium, textPage, index));
    if (!isUsableText(texts.join(''), isScan(pdfium, page))) return undefined;
    const toDisplay = displayTransform(pdfium, page);
    return charactersToLines(texts.map((text, index) => ({ text, box: toDisplay(boxAt(pdfium, textPage, index)) })));
  } finally {
    pdfium._FPDFText_ClosePage(textPage);
  }
}

function textAt(pdfium: Pdfium, textPage: number, index: number): string {
  const code = pdfium._FPDFText_GetUnicode(textPage, index);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Returns a character's box in page coordinates, whose y axis points up. */
function boxAt(pdfium: Pdfium, textPage: number, index: number): Box {
  return withMemory(pdfium, 4 * doubleBytes, (pointer) => {
    const address = (position: number) => pointer + position * doubleBytes;
    pdfium._FPDFText_GetCharBox(textPage, index, address(0), address(1), address(2), address(3));
    const memory = viewMemory(pdfium);
    const read = (position: number) => memory.getFloat64(address(position), true);
    return { left: read(0), right: read(1), bottom: read(2), top: read(3) };
  });
}

/** Resolution of display coordinates, which are integers. */
const stepsPerPoint = 20;
/** Length of the measured vectors. Long enough to make rounding errors negligible. */
const vectorPoints = 1_000;

/** Returns the transform from page coordinates to the page as displayed: rotated, cropped, and with y pointing down. */
function displayTransform(pdfium: Pdfium, page: number): (box: Box) => Box {
  const origin = toDisplayPoint(pdfium, page, 0, 0);
  const [rightX, rightY] = subtract(toDisplayPoint(pdfium, page, vectorPoints, 0), origin);
  const [upX, upY] = subtract(toDisplayPoint(pdfium, page, 0, vectorPoints), origin);
  const transform = (x: number, y: number) => ({
    x: origin[0] + (rightX * x + upX * y) / vectorPoints,
    y: origin[1] + (rightY * x + upY * y) / vectorPoints,
  });
  return ({ left, top, right, bottom }) => {
    const [corner, opposite] = [transform(left, top), transform(right, bottom)];
    return {
      left: Math.min(corner.x, opposite.x),
      right: Math.max(corner.x, opposite.x),
      top: Math.min(corner.y, opposite.y),
      bottom: Math.max(corner.y, opposite.y),
    };
  };
}

type Point = readonly [x: number, y: number];

function subtract(left: Point, right: Point): Point {
  return [left[0] - right[0], left[1] - right[1]];
}

function toDisplayPoint(pdfium: Pdfium, page: number, x: number, y: number): Point {
  const { width, height } = pageSize(pdfium, page);
  return withMemory(pdfium, 2 * integerBytes, (pointer) => {
    const size = [Math.round(width * stepsPerPoint), Math.round(height * stepsPerPoint)] as const;
    pdfium._FPDF_PageToDevice(page, 0, 0, ...size, 0, x, y, pointer, pointer + integerBytes);
    const memory = viewMemory(pdfium);
    return [memory.getInt32(pointer, true), memory.getInt32(pointer + integerBytes, true)];
  });
}

const imageObject = 3;
/** Share of the page that a single image must cover for the page to count as a scan. */
const minScanShare = 0.5;
/** A scan consists of one image or a few strips. Pages with many objects are drawings. */
const maxScanObjects = 1_000;

function isScan(pdfium: Pdfium, page: number): boolean {
  const { width, height } = pageSize(pdfium, page);
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), maxScanObjects);
  return Array.from({ length: count }, (_, index) => pdfium._FPDFPage_GetObject(page, index)).some(
    (object) =>
      pdfium._FPDFPageObj_GetType(object) === imageObject && areaOf(pdfium, object) > minScanShare * width * height,
  );
}

function areaOf(pdfium: Pdfium, object: number): number {
  return withMemory(pdfium, 4 * floatBytes, (pointer) => {
    const address = (position: number) => pointer + position * floatBytes;
    if (pdfium._FPDFPageObj_GetBounds(object, address(0), address(1), address(2), address(3)) === 0) return 0;
    const memory = viewMemory(pdfium);
    const [left, bottom, right, top] = [0, 1, 2, 3].map((position) => memory.getFloat32(address(position), true));
    return ((right ?? 0) - (left ?? 0)) * ((top ?? 0) - (bottom ?? 0));
  });
}

/** Scans often have a page number or a stamp as text. A page of text has more characters. */
const minCharacters = 20;
/** Where an image covers the page, a line or two of text are a stamp. */
const minCharactersOnScan = 200;
const minLegibleShare = 0.8;

/** Whether the text layer can replace recognition. */
export function isUsableText(text: string, isOnScan: boolean): boolean {
  const visible = text.replace(/[\s\p{Cc}]/gu, '');
  // Characters without a known meaning become replacement or private-use characters.
  const legible = visible.replace(/[\ufffd\p{Co}\p{Cn}\p{Cs}]/gu, '');
  if (legible.length < minLegibleShare * visible.length) return false;
  return legible.length >= (isOnScan ? minCharactersOnScan : minCharacters);
}

/** A character of a text layer. The text is empty if the character has no meaning. */
interface Character {
  readonly text: string;
  readonly box: Box;
}

/** PDFium returns one of these instead of a hyphen and a line break. */
const lineEndHyphens = ['\u0002', '\ufffe'];

/** Groups characters into words and lines. They are in reading order and include spaces and line breaks. */
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
    if (lineEndHyphens.includes(text)) {
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
