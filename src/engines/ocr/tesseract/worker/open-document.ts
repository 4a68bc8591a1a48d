import { fileTypeFromBuffer } from 'file-type';
import { DocumentError } from '../../ocr-engine.js';
import { maxPages } from '../limits.js';
import { ImageDocument } from './image-document.js';
import type { OpenedDocument } from './opened-document.js';
import { PdfDocument } from './pdf-document.js';
import type { Pdfium } from './pdfium.js';
import type { Recognizer } from './recognizer.js';

/** What reading takes; each is loaded when it is first needed. */
export interface Readers {
  readonly loadPdfium: () => Promise<Pdfium>;
  readonly loadRecognizer: () => Promise<Recognizer>;
}

const imageTypes = ['image/png', 'image/apng', 'image/jpeg', 'image/webp', 'image/tiff', 'image/gif'];
/** A PDF may begin with other bytes, as far as this. */
const PDF_HEADER_WITHIN_BYTES = 1_024;

/**
 * Opens a document, whose type is told by its content.
 *
 * @throws DocumentError when it cannot be read or is of another type
 */
export async function openDocument(bytes: Buffer, readers: Readers): Promise<OpenedDocument> {
  const document = await openByType(bytes, readers);
  const problem = problemOfPageCount(document.pageCount);
  if (problem === undefined) return document;
  document.close();
  throw problem;
}

async function openByType(bytes: Buffer, { loadPdfium, loadRecognizer }: Readers): Promise<OpenedDocument> {
  if (bytes.subarray(0, PDF_HEADER_WITHIN_BYTES).includes('%PDF-')) {
    return PdfDocument.open(await loadPdfium(), bytes, loadRecognizer);
  }
  const type = await typeOf(bytes);
  if (type !== undefined && imageTypes.includes(type)) return ImageDocument.open(bytes, await loadRecognizer());
  throw new DocumentError(
    'unsupported-type',
    `The document must be a PDF or an image (PNG, JPEG, WebP, TIFF, GIF); ${type === undefined ? 'the type of this one is unknown' : `this one is ${type}`}.`,
  );
}

async function typeOf(bytes: Buffer): Promise<string | undefined> {
  try {
    return (await fileTypeFromBuffer(bytes))?.mime;
  } catch {
    // It looks into files, and those of attackers may end anywhere.
    return undefined;
  }
}

function problemOfPageCount(pageCount: number): DocumentError | undefined {
  if (pageCount < 1) return new DocumentError('empty', 'The document has no pages.');
  if (pageCount <= maxPages) return undefined;
  return new DocumentError('too-many-pages', `The document has ${pageCount} pages; at most ${maxPages} are read.`);
}
