import { maxRecognizedPixels, pageDpi } from '../limits.js';
import { PageFailure } from './opened-document.js';
import { OutOfMemory, type Pdfium, viewMemory, withMemory } from './pdfium.js';
import { type Raster, toDarkOnLight } from './recognizer.js';

const POINTS_PER_INCH = 72;
const GREY_FORMAT = 1;
const WHITE = 0xffffffff;
const WITH_ANNOTATIONS = 0x01;
const IN_GREY = 0x08;

/** In points, as the page is shown: turned where it says so. */
export function pageSize(pdfium: Pdfium, page: number): { width: number; height: number } {
  return { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) };
}

/**
 * The page as a picture; a very large one at a lower density, so that no page takes much memory.
 *
 * @throws PageFailure for a page without an area
 */
export function renderPage(pdfium: Pdfium, page: number): Raster {
  const { width: widthPoints, height: heightPoints } = pageSize(pdfium, page);
  if (!(widthPoints > 0 && heightPoints > 0)) throw new PageFailure('has no area.');
  const largestScale = Math.sqrt(maxRecognizedPixels / (widthPoints * heightPoints));
  const scale = Math.min(pageDpi / POINTS_PER_INCH, largestScale);
  // A page may be a hair's breadth wide and ten thousand points high.
  const width = Math.max(1, Math.floor(widthPoints * scale));
  const height = Math.min(Math.max(1, Math.floor(heightPoints * scale)), Math.floor(maxRecognizedPixels / width));
  const pixels = withMemory(pdfium, width * height, (pointer) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, GREY_FORMAT, pointer, width);
    if (bitmap === 0) throw new OutOfMemory('PDFium cannot create a bitmap.');
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS | IN_GREY);
    pdfium._FPDFBitmap_Destroy(bitmap);
    return Buffer.from(pdfium.HEAPU8.subarray(pointer, pointer + width * height));
  });
  return { pixels: toDarkOnLight(pixels), width, height, dpi: Math.round(scale * POINTS_PER_INCH) };
}

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
