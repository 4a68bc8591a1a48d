import type { Readable } from 'node:stream';
import { errorMessage } from '../../../../common/errors/error-facts.js';
import { DocumentError } from '../../ocr-engine.js';
import { layOut } from '../layout/layout.js';
import { packWords } from '../packed-page.js';
import type { WorkerAnswer, WorkerRequest } from '../worker-messages.js';
import { openDocument } from './open-document.js';
import type { OpenedDocument } from './opened-document.js';
import { PageFailure } from './page-failure.js';
import { loadPdfium, type Pdfium } from './pdfium.js';
import { Recognizer } from './recognizer.js';

/** Answers the requests of the service, one after the other. */
export class PageReader {
  private readonly documents = new Map<number, OpenedDocument>();
  private pdfium: Promise<Pdfium> | undefined;
  private recognizer: Promise<Recognizer> | undefined;

  /** @param pipe where the bytes of documents come from */
  constructor(
    private readonly languages: readonly string[],
    private readonly pipe: Readable,
  ) {}

  async answer(request: WorkerRequest): Promise<WorkerAnswer> {
    try {
      switch (request.kind) {
        case 'open':
          return await this.open(request.documentId, request.byteLength);
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

  private async open(documentId: number, byteLength: number): Promise<WorkerAnswer> {
    const bytes = await readExactly(this.pipe, byteLength);
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
  if (error instanceof DocumentError) return { kind: 'refused', problem: error.problem, message: error.message };
  if (error instanceof PageFailure) return { kind: 'page-failed', failure: error.message };
  if (error instanceof BrokenWorker) return { kind: 'broken', reason: error.message };
  // PDFium and Tesseract are left in no known state.
  throw error;
}

async function readExactly(pipe: Readable, byteLength: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(byteLength);
  let filled = 0;
  for await (const chunk of pipe.iterator({ destroyOnReturn: false })) {
    filled += (chunk as Buffer).copy(bytes, filled);
    if (filled === byteLength) break;
  }
  return bytes;
}
