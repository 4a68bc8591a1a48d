import { pageSize } from './pdf-page.js';
import { type Pdfium, viewMemory, withMemory } from './pdfium.js';

const IMAGE = 3;
const FLOAT_BYTES = 4;
/** Of the page, which one picture must cover for the page to count as a scan. */
const SCAN_SHARE = 0.5;
/** A scan is one picture or a few strips; pages of many objects are drawings. */
const MOST_OBJECTS = 1_000;

/** Whether one picture covers most of the page. */
export function isScan(pdfium: Pdfium, page: number): boolean {
  const { width, height } = pageSize(pdfium, page);
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MOST_OBJECTS);
  return Array.from({ length: count }, (_, index) => pdfium._FPDFPage_GetObject(page, index)).some(
    (object) => pdfium._FPDFPageObj_GetType(object) === IMAGE && areaOf(pdfium, object) > SCAN_SHARE * width * height,
  );
}

function areaOf(pdfium: Pdfium, object: number): number {
  return withMemory(pdfium, 4 * FLOAT_BYTES, (pointer) => {
    const at = (index: number) => pointer + index * FLOAT_BYTES;
    if (pdfium._FPDFPageObj_GetBounds(object, at(0), at(1), at(2), at(3)) === 0) return 0;
    const memory = viewMemory(pdfium);
    const [left, bottom, right, top] = [0, 1, 2, 3].map((index) => memory.getFloat32(at(index), true));
    return ((right ?? 0) - (left ?? 0)) * ((top ?? 0) - (bottom ?? 0));
  });
}
