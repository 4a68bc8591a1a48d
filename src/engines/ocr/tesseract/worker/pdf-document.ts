import { DocumentError } from '../../ocr-engine.js';
import { pageDpi } from '../limits.js';
import { type OpenedDocument, PageFailure, type PageText } from './opened-document.js';
import { readTextLayer } from './pdf-text-layer.js';
import { pageSize, renderPage } from './pdf-page.js';
import { allocate, free, type Pdfium } from './pdfium.js';
import type { Recognizer } from './recognizer.js';

const PASSWORD_ERROR = 4;
const SECURITY_ERROR = 5;
const POINTS_PER_INCH = 72;
const FLATTEN_FOR_DISPLAY = 0;

/** A PDF. Pages with a text layer of their own are read from it, the others are rendered and recognised. */
export class PdfDocument implements OpenedDocument {
  private constructor(
    private readonly pdfium: Pdfium,
    private readonly bytesPointer: number,
    private readonly document: number,
    private readonly loadRecognizer: () => Promise<Recognizer>,
    readonly pageCount: number,
  ) {}

  /**
   * @param loadRecognizer called for the first page without a text layer
   * @throws DocumentError when it is encrypted, broken or empty
   */
  static open(pdfium: Pdfium, bytes: Buffer, loadRecognizer: () => Promise<Recognizer>): PdfDocument {
    // PDFium reads from these bytes until the document is closed.
    const bytesPointer = allocate(pdfium, bytes.length);
    pdfium.HEAPU8.set(bytes, bytesPointer);
    const document = pdfium._FPDF_LoadMemDocument(bytesPointer, bytes.length, 0);
    if (document === 0) {
      const reason = pdfium._FPDF_GetLastError();
      free(pdfium, bytesPointer);
      throw explainFailure(reason);
    }
    const pageCount = pdfium._FPDF_GetPageCount(document);
    return new PdfDocument(pdfium, bytesPointer, document, loadRecognizer, pageCount);
  }

  async read(pageIndex: number): Promise<PageText> {
    const { pdfium } = this;
    const page = this.openPage(pageIndex);
    try {
      const { width, height } = pageSize(pdfium, page);
      const lines = readTextLayer(pdfium, page);
      if (lines !== undefined) {
        const toPixels = (points: number) => Math.round((points / POINTS_PER_INCH) * pageDpi);
        return { lines, dimensions: { dpi: pageDpi, width: toPixels(width), height: toPixels(height) } };
      }
      const recognizer = await this.loadRecognizer();
      const raster = renderPage(pdfium, page);
      const dimensions = { dpi: raster.dpi, width: raster.width, height: raster.height };
      return { lines: recognizer.recognize(raster), dimensions };
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  }

  close(): void {
    this.pdfium._FPDF_CloseDocument(this.document);
    free(this.pdfium, this.bytesPointer);
  }

  /** With the values of form fields drawn into it, where PDFium looks for text. */
  private openPage(pageIndex: number): number {
    const page = this.loadPage(pageIndex);
    const hasChanged = this.pdfium._FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY) === 1;
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

function explainFailure(reason: number): DocumentError {
  if (reason === PASSWORD_ERROR || reason === SECURITY_ERROR) {
    return new DocumentError('encrypted', 'The PDF is encrypted and needs a password; remove it and send it again.');
  }
  return new DocumentError('corrupt', 'The PDF is damaged and cannot be read.');
}
