import { maxRecognizedPixels, pageDpi } from '../limits.js';
import { PageFailure } from './page-failure.js';
import { OutOfMemory, type Pdfium, withMemory } from './pdfium.js';
import { type Raster, toDarkOnLight } from './raster.js';

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
