import { PdfDocument, renderPage } from '../src/worker/pdf/pdf-document.js';
import { allocate, loadPdfium, OutOfMemoryError, type Pdfium, withMemory } from '../src/worker/pdf/pdfium.js';
import { limitWasmMemory, wasMemoryRefused } from '../src/worker/wasm-memory.js';
import { drawHugePage } from './documents/hostile-pdfs.js';

const megabyte = 1024 * 1024;
const maxBytes = 48 * megabyte;

describe('PDFium with limited memory', () => {
  let pdfium: Pdfium;
  beforeAll(async () => {
    limitWasmMemory(maxBytes);
    pdfium = await loadPdfium();
  });

  const startOfMemory = () => Buffer.from(pdfium.HEAPU8.subarray(0, 1_024)).toString('hex');
  const failToLoad = () => Promise.reject(new Error('The recognizer is not needed.'));

  it('should reject a document that does not fit, without writing to address 0', () => {
    const before = startOfMemory();
    expect(() => PdfDocument.open(pdfium, Buffer.alloc(maxBytes, 'x'), failToLoad)).toThrow(OutOfMemoryError);
    expect(startOfMemory()).toBe(before);
    expect(wasMemoryRefused()).toBe(true);
    expect(wasMemoryRefused()).toBe(false);
  });

  it('should fail to render a page while its memory is used up, and succeed afterwards', () => {
    const bytes = drawHugePage();
    const pointer = allocate(pdfium, bytes.length);
    pdfium.HEAPU8.set(bytes, pointer);
    const document = pdfium._FPDF_LoadMemDocument(pointer, bytes.length, 0);
    const page = pdfium._FPDF_LoadPage(document, 0);
    const before = startOfMemory();
    withMemory(pdfium, 40 * megabyte, () => expect(() => renderPage(pdfium, page)).toThrow(OutOfMemoryError));
    expect(startOfMemory()).toBe(before);
    expect(renderPage(pdfium, page).pixels.length).toBeGreaterThan(10 * megabyte);
  });

  it('should not exceed the limit', () => {
    expect(pdfium.HEAPU8.length).toBeLessThanOrEqual(maxBytes);
  });
});
