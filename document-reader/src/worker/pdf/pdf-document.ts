import { DocumentError } from '../../errors.js';
import { maxRecognizedPixels, pageDpi } from '../../limits.js';
import {
  type Box,
  type FigureLimits,
  type OpenDocument,
  PageFailure,
  type PageText,
  scaleBox,
  type TextLine,
} from '../../page.js';
import { findFigures, renderFigures } from './pdf-figures.js';
import { findPictures } from './find-pictures.js';
import { readPictures } from './read-pictures.js';
import { readTextLayer } from './pdf-text-layer.js';
import { allocate, free, OutOfMemoryError, type Pdfium, pageSize, withMemory, stepsPerPoint } from './pdfium.js';
import type { Raster } from '../image/raster.js';
import type { Recognizer } from '../recognition/recognizer.js';

const passwordError = 4;
const securityError = 5;
const flattenForDisplay = 0;
const pointsPerInch = 72;
/** Share of the page that a picture must cover to be recognized. Most logos are smaller. */
const minPictureShare = 0.02;

/** A PDF. Pages with a text layer are read from it, except for their pictures. Other pages are rendered and recognized. */
export class PdfDocument implements OpenDocument {
  private constructor(
    private readonly pdfium: Pdfium,
    private readonly bytesPointer: number,
    private readonly document: number,
    private readonly loadRecognizer: () => Promise<Recognizer>,
    readonly pageCount: number,
  ) {}

  /**
   * @param loadRecognizer called for pages without a text layer
   * @throws DocumentError if the document is encrypted or damaged
   */
  static open(pdfium: Pdfium, bytes: Buffer, loadRecognizer: () => Promise<Recognizer>): PdfDocument {
    // PDFium reads from this memory until the document is closed.
    const bytesPointer = allocate(pdfium, bytes.length);
    pdfium.HEAPU8.set(bytes, bytesPointer);
    const document = pdfium._FPDF_LoadMemDocument(bytesPointer, bytes.length, 0);
    if (document === 0) {
      const code = pdfium._FPDF_GetLastError();
      free(pdfium, bytesPointer);
      throw toDocumentError(code);
    }
    const pageCount = pdfium._FPDF_GetPageCount(document);
    return new PdfDocument(pdfium, bytesPointer, document, loadRecognizer, pageCount);
  }

  async read(pageIndex: number, limits: FigureLimits): Promise<PageText> {
    const page = this.openPage(pageIndex);
    try {
      const pictures = findPictures(this.pdfium, page);
      const layer = readTextLayer(this.pdfium, page, pictures);
      const boxes = pictures.map(({ box }) => box);
      if (layer === undefined) return await this.recognize(page, boxes, limits);
      const large = pictures.filter(({ share }) => share > minPictureShare).map(({ box }) => box);
      const { lines, languages } = await this.readPictures(page, layer, large);
      const { width, height } = pageSize(this.pdfium, page);
      const toPixels = (points: number) => Math.round((points / pointsPerInch) * pageDpi);
      const size = {
        bounds: { left: 0, top: 0, right: width * stepsPerPoint, bottom: height * stepsPerPoint },
        dimensions: { dpi: pageDpi, width: toPixels(width), height: toPixels(height) },
      };
      const figures = findFigures(boxes, { lines: layer, ...size }, limits);
      return { lines: [...layer, ...lines], isBlank: false, languages, figures, ...size };
    } finally {
      this.pdfium._FPDF_ClosePage(page);
    }
  }

  async render(pageIndex: number, boxes: readonly Box[], dimensions: PageText['dimensions']) {
    const page = this.openPage(pageIndex);
    try {
      return await renderFigures(this.pdfium, page, boxes, dimensions);
    } finally {
      this.pdfium._FPDF_ClosePage(page);
    }
  }

  /** Reads a page without a text layer. */
  private async recognize(page: number, pictures: readonly Box[], limits: FigureLimits): Promise<PageText> {
    const recognizer = await this.loadRecognizer();
    const raster = renderPage(this.pdfium, page);
    const { dpi, width, height } = raster;
    const text = { ...(await recognizer.recognize(raster)), dimensions: { dpi, width, height } };
    // After straightening or rotating the page, it's unknown where its pictures are in the text.
    const isStraight = text.bounds.right === width && text.bounds.bottom === height;
    const pixelsPerStep = width / (pageSize(this.pdfium, page).width * stepsPerPoint);
    const boxes = isStraight ? pictures.map((box) => scaleBox(box, pixelsPerStep)) : [];
    return { ...text, figures: findFigures(boxes, text, limits) };
  }

  private async readPictures(page: number, layer: readonly TextLine[], pictures: readonly Box[]) {
    if (pictures.length === 0) return { lines: [], languages: [] };
    const recognizer = await this.loadRecognizer();
    const raster = renderPage(this.pdfium, page);
    const pixelsPerStep = raster.width / (pageSize(this.pdfium, page).width * stepsPerPoint);
    return readPictures(recognizer, { layer, pictures, raster, pixelsPerStep });
  }

  close(): void {
    this.pdfium._FPDF_CloseDocument(this.document);
    free(this.pdfium, this.bytesPointer);
  }

  /** Merges the values of form fields into the page, because PDFium only finds text there. */
  private openPage(pageIndex: number): number {
    const page = this.loadPage(pageIndex);
    const hasChanged = this.pdfium._FPDFPage_Flatten(page, flattenForDisplay) === 1;
    if (!hasChanged) return page;
    this.pdfium._FPDF_ClosePage(page);
    return this.loadPage(pageIndex);
  }

  private loadPage(pageIndex: number): number {
    const page = this.pdfium._FPDF_LoadPage(this.document, pageIndex);
    if (page === 0) throw new PageFailure('is damaged and cannot be read.');
    return page;
  }
}

function toDocumentError(code: number): DocumentError {
  if (code === passwordError || code === securityError) {
    return new DocumentError('encrypted', 'The PDF is encrypted. Remove its password and send it again.');
  }
  return new DocumentError('corrupt', 'The PDF is damaged and cannot be read.');
}

const grayFormat = 1;
const white = 0xffffffff;
const renderAnnotations = 0x01;
const renderGrayscale = 0x08;

/**
 * Renders a page. Very large pages are rendered at a lower resolution to limit memory.
 *
 * @throws PageFailure if the page has no area
 */
export function renderPage(pdfium: Pdfium, page: number): Raster {
  const { width: widthPoints, height: heightPoints } = pageSize(pdfium, page);
  if (!(widthPoints > 0 && heightPoints > 0)) throw new PageFailure('has no area.');
  const maxScale = Math.sqrt(maxRecognizedPixels / (widthPoints * heightPoints));
  const scale = Math.min(pageDpi / pointsPerInch, maxScale);
  // A page may be less than a pixel wide and ten thousand points high.
  const width = Math.max(1, Math.floor(widthPoints * scale));
  const height = Math.min(Math.max(1, Math.floor(heightPoints * scale)), Math.floor(maxRecognizedPixels / width));
  const pixels = withMemory(pdfium, width * height, (pointer) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, grayFormat, pointer, width);
    if (bitmap === 0) throw new OutOfMemoryError('PDFium cannot create a bitmap.');
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderAnnotations | renderGrayscale);
    pdfium._FPDFBitmap_Destroy(bitmap);
    return Buffer.from(pdfium.HEAPU8.subarray(pointer, pointer + width * height));
  });
  return { pixels, width, height, dpi: Math.round(scale * pointsPerInch) };
}
