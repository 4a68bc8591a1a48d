import { maxPageCharacters } from '../limits.js';
import type { Box, TextLine } from '../layout/text.js';
import { charactersToLines } from './characters-to-lines.js';
import { PageFailure } from './page-failure.js';
import { isScan } from './pdf-images.js';
import { isUsableText } from './usable-text.js';
import { shownCoordinates } from './pdf-coordinates.js';
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
