/*
 * The main program of a worker process: opens documents and reads their pages, as requested by the parent.
 */
import { getPriority, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { DocumentError } from '../errors.js';
import { LanguageData } from '../language-data.js';
import { layOut } from '../layout/layout.js';
import { recognitionPriority } from '../limits.js';
import type { ReadTable } from '../method.js';
import { type Box, boxAround, type OpenDocument, PageFailure, type PageText, scaleBox } from '../page.js';
import { packWords, type WorkerRequest, type WorkerResponse, type WorkerSettings } from '../worker-messages.js';
import { serveRequests } from '../worker-pipe.js';
import { ImageDocument } from './image/image-document.js';
import { PdfDocument } from './pdf/pdf-document.js';
import { loadPdfium, OutOfMemoryError, type Pdfium } from './pdf/pdfium.js';
import { Recognizer } from './recognition/recognizer.js';
import { Tesseract } from './recognition/tesseract.js';
import { LoadError, WasmTesseract } from './recognition/wasm-tesseract.js';
import { limitWasmMemory, wasMemoryRefused } from './wasm-memory.js';

/** Memory of Node itself and of the code it has loaded. */
const nodeMemoryBytes = 128 * 1024 * 1024;
const imageTypes = ['image/png', 'image/apng', 'image/jpeg', 'image/webp', 'image/tiff', 'image/gif'];
/** A PDF may start with other bytes. */
const maxPdfHeaderOffset = 1_024;

// First, because threads inherit it when they start. Only administrators may raise a priority.
setPriority(Math.max(getPriority(), recognitionPriority));
new Worker(new URL('./watch-parent.js', import.meta.url), { workerData: process.ppid });
// One thread per worker, and no cache between pages. The parent decides how many workers run in parallel.
sharp.concurrency(1);
sharp.cache(false);

const settings = JSON.parse(process.argv[2] ?? '') as WorkerSettings;
const { limits } = settings;
const languageData = new LanguageData(settings.dataFolder);
limitWasmMemory(settings.memoryBytes - nodeMemoryBytes);

const documents = new Map<number, OpenDocument>();
let pdfium: Promise<Pdfium> | undefined;
let wasm: Promise<WasmTesseract> | undefined;

const recognize = serveRequests(async (request, bytes) => {
  // Clears refusals from previous requests.
  wasMemoryRefused();
  try {
    return await handle(request, bytes);
  } catch (error) {
    return toResponse(error);
  }
});

/** @param bytes the document, for an `open` request */
async function handle(request: WorkerRequest, bytes: Buffer): Promise<WorkerResponse> {
  const { documentId } = request;
  switch (request.kind) {
    case 'open': {
      const document = await open(bytes, request.languages);
      documents.set(documentId, document);
      return { kind: 'opened', pageCount: document.pageCount };
    }
    case 'read': {
      const document = documents.get(documentId);
      if (document === undefined) throw new Error(`Document ${documentId} is not open.`);
      const figureLimits = { minPixels: request.images?.minPixels, maxCount: limits.maxPageImages };
      const page = await document.read(request.pageIndex, figureLimits);
      const { lines, bounds, figures, dimensions, isBlank, languages: used } = page;
      const { words, pictures, ...text } = layOut(lines, bounds, figures);
      const places = pictures.slice(0, request.images?.limit);
      const images = places.map(({ position, index }) => ({ position, box: toPixels(figures[index], page) }));
      const boxes = request.images?.areIncluded ? images.map(({ box }) => box) : [];
      const jpegs = boxes.length > 0 ? await document.render(request.pageIndex, boxes, dimensions) : [];
      if (wasMemoryRefused()) throw new OutOfMemoryError('The page was not read completely.');
      return {
        kind: 'page',
        ...text,
        dimensions,
        words: packWords(words),
        images: images.map((image, index) => ({ ...image, jpeg: jpegs[index] })),
        isBlank,
        languages: used,
      };
    }
    case 'close':
      documents.get(documentId)?.close();
      documents.delete(documentId);
      return { kind: 'closed', memoryBytes: process.memoryUsage.rss() };
  }
}

/** @param box in the unit of the page's bounds */
function toPixels(box = boxAround([]), { bounds, dimensions }: Pick<PageText, 'bounds' | 'dimensions'>): Box {
  const { left, top, right, bottom } = scaleBox(box, dimensions.width / bounds.right);
  const { width, height } = dimensions;
  return {
    left: Math.max(0, Math.floor(left)),
    top: Math.max(0, Math.floor(top)),
    right: Math.min(width, Math.ceil(right)),
    bottom: Math.min(height, Math.ceil(bottom)),
  };
}

function toResponse(error: unknown): WorkerResponse {
  if (error instanceof OutOfMemoryError || wasMemoryRefused()) return { kind: 'out-of-memory' };
  if (error instanceof DocumentError) {
    return { kind: 'document-error', problem: error.problem, message: error.message };
  }
  if (error instanceof PageFailure) return { kind: 'page-failed', failure: error.message };
  if (error instanceof LoadError) return { kind: 'worker-failed', reason: error.message };
  // PDFium and Tesseract may be in an undefined state, so the process has to end.
  throw error;
}

/** @throws DocumentError if the document can't be read or its type is not supported */
async function open(bytes: Buffer, languages?: readonly string[]): Promise<OpenDocument> {
  const document = await openByType(bytes, recognizerLoader(languages));
  const error = checkPageCount(document.pageCount);
  if (error === undefined) return document;
  document.close();
  throw error;
}

/** Detects the type from the content. */
async function openByType(bytes: Buffer, getRecognizer: () => Promise<Recognizer>): Promise<OpenDocument> {
  if (bytes.subarray(0, maxPdfHeaderOffset).includes('%PDF-')) {
    return PdfDocument.open(await (pdfium ??= loadPdfium()), bytes, getRecognizer);
  }
  // It throws for some truncated files.
  const type = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (type !== undefined && imageTypes.includes(type.mime)) return ImageDocument.open(bytes, await getRecognizer());
  throw new DocumentError(
    'unsupported-type',
    `The document must be a PDF or an image (PNG, JPEG, WebP, TIFF or GIF). Detected type: ${type?.mime ?? 'unknown'}.`,
  );
}

function checkPageCount(pageCount: number): DocumentError | undefined {
  if (pageCount < 1) return new DocumentError('empty', 'The document has no pages.');
  if (pageCount <= limits.maxPages) return undefined;
  return new DocumentError('too-many-pages', `The document has ${pageCount} pages. The maximum is ${limits.maxPages}.`);
}

/** Returns a function that creates the document's recognizer when it's first needed. */
function recognizerLoader(chosen: readonly string[] | undefined): () => Promise<Recognizer> {
  const candidates = chosen === undefined ? settings.candidates : { languages: chosen, areAutomatic: false };
  let recognizer: Recognizer | undefined;
  return async () => (recognizer ??= new Recognizer(new Tesseract(await tableReader()), candidates));
}

async function tableReader(): Promise<ReadTable> {
  if (settings.program === 'native') {
    return (image, languages, method) => recognize({ kind: 'recognize', image, languages, method });
  }
  wasm ??= WasmTesseract.load(languageData).catch((error: unknown) => {
    // The next page tries again.
    wasm = undefined;
    throw error;
  });
  const loaded = await wasm;
  return (image, languages, method) => loaded.readTable(image, languages, method);
}
