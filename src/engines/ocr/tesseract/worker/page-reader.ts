import { errorMessage } from '../../../../common/errors/error-utils.js';
import { DocumentError } from '../../ocr-engine.js';
import { layOut } from '../layout/layout.js';
import { packWords, type WorkerAnswer, type WorkerRequest } from '../worker-messages.js';
import { openDocument } from './open-document.js';
import { type OpenedDocument, PageFailure } from './opened-document.js';
import { loadPdfium, OutOfMemory, type Pdfium } from './pdfium.js';
import { Recognizer } from './recognizer.js';
import { wasMemoryRefused } from './wasm-memory.js';

/** Answers the requests of the service, one after the other. */
export class PageReader {
  private readonly documents = new Map<number, OpenedDocument>();
  private pdfium: Promise<Pdfium> | undefined;
  private recognizer: Promise<Recognizer> | undefined;

  constructor(private readonly languages: readonly string[]) {}

  /** @param bytes the document, for an `open` */
  async answer(request: WorkerRequest, bytes: Buffer): Promise<WorkerAnswer> {
    wasMemoryRefused();
    try {
      switch (request.kind) {
        case 'open':
          return await this.open(request.documentId, bytes);
        case 'read':
          return await this.read(request.documentId, request.pageIndex);
        case 'close':
          this.documents.get(request.documentId)?.close();
          this.documents.delete(request.documentId);
          return { kind: 'closed', memoryBytes: process.memoryUsage.rss() };
      }
    } catch (error) {
      return explain(error);
    }
  }

  private async open(documentId: number, bytes: Buffer): Promise<WorkerAnswer> {
    const document = await openDocument(bytes, {
      loadPdfium: () => (this.pdfium ??= loadPdfium()),
      loadRecognizer: () => (this.recognizer ??= this.loadRecognizer()),
    });
    this.documents.set(documentId, document);
    return { kind: 'opened', pageCount: document.pageCount };
  }

  private async read(documentId: number, pageIndex: number): Promise<WorkerAnswer> {
    const document = this.documents.get(documentId);
    if (document === undefined) throw new Error(`Document ${documentId} is not open.`);
    const { lines, dimensions } = await document.read(pageIndex);
    if (wasMemoryRefused()) throw new OutOfMemory('The page was read without a part of it.');
    const { markdown, words } = layOut(lines);
    return { kind: 'page', markdown, dimensions, words: packWords(words) };
  }

  private async loadRecognizer(): Promise<Recognizer> {
    try {
      return await Recognizer.load(this.languages);
    } catch (cause) {
      // The next page tries again.
      this.recognizer = undefined;
      throw new BrokenWorker(`Tesseract could not be loaded: ${errorMessage(cause)}`, { cause });
    }
  }
}

class BrokenWorker extends Error {}

function explain(error: unknown): WorkerAnswer {
  if (error instanceof OutOfMemory || wasMemoryRefused()) return { kind: 'out-of-memory' };
  if (error instanceof DocumentError) return { kind: 'refused', problem: error.problem, message: error.message };
  if (error instanceof PageFailure) return { kind: 'page-failed', failure: error.message };
  if (error instanceof BrokenWorker) return { kind: 'broken', reason: error.message };
  // PDFium and Tesseract are left in no known state.
  throw error;
}
