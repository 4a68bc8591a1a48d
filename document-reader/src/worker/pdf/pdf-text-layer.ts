import { maxPageCharacters } from '../../limits.js';
import { type Box, boxAround, PageFailure, type TextLine, type TextWord } from '../../page.js';
import type { Picture } from './find-pictures.js';
import { displayTransform, type Pdfium, stepsPerPoint, viewMemory, withMemory } from './pdfium.js';

const doubleBytes = 8;
const floatBytes = 4;

/**
 * Returns the lines of a page's text layer; undefined if there is none, or if it doesn't match the page.
 *
 * @throws PageFailure if it has too many characters
 */
export function readTextLayer(pdfium: Pdfium, page: number, pictures: readonly Picture[]): TextLine[] | undefined {
  const textPage = pdfium._FPDFText_LoadPage(page);
  if (textPage === 0) return undefined;
  try {
    const count = pdfium._FPDFText_CountChars(textPage);
    // Most scans have none. A character has one or two code units.
    if (2 * count < minCharacters) return undefined;
    if (count > maxPageCharacters) throw new PageFailure(`has more than ${maxPageCharacters} characters.`);
    const isScan = pictures.some(({ share }) => share > minScanShare);
    const texts = Array.from({ length: count }, (_, index) => textAt(pdfium, textPage, index));
    if (!isUsableText(texts.join(''), isScan)) return undefined;
    const toDisplay = displayTransform(pdfium, page);
    // The text of a scan has the sizes that a program has estimated.
    const sizeOf = (index: number) => (isScan ? undefined : sizeAt(pdfium, textPage, index));
    return charactersToLines(
      texts.map((text, index) => ({ text, box: toDisplay(boxAt(pdfium, textPage, index)), size: sizeOf(index) })),
    );
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

/** Returns the font size of a character in display coordinates; undefined if it's unknown. */
function sizeAt(pdfium: Pdfium, textPage: number, index: number): number | undefined {
  return withMemory(pdfium, 6 * floatBytes, (pointer) => {
    if (pdfium._FPDFText_GetMatrix(textPage, index, pointer) === 0) return undefined;
    const memory = viewMemory(pdfium);
    const read = (position: number) => memory.getFloat32(pointer + position * floatBytes, true);
    const size = pdfium._FPDFText_GetFontSize(textPage, index) * Math.hypot(read(2), read(3)) * stepsPerPoint;
    return size > 0 && Number.isFinite(size) ? size : undefined;
  });
}

/** Share of the page that a single image must cover for the page to count as a scan. */
const minScanShare = 0.5;

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
  /** Font size in the unit of the box, if known. */
  readonly size?: number | undefined;
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
  const size = characters.find((character) => character.size !== undefined)?.size;
  const box = boxAround(characters.map((character) => character.box));
  return { text: text.normalize('NFC'), confidence: 1, box, ...(size === undefined ? {} : { size }) };
}
