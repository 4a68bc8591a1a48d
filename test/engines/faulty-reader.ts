/*
 * A worker of the OCR engine that is told by the document what to do. The document is JSON: `opening` says what
 * happens when it is opened, `pages` what each page does.
 */
import { writeSync } from 'node:fs';
import { answerRequests } from '../../src/engines/ocr/tesseract/worker/answer-requests.js';
import {
  answerDescriptor,
  type WorkerAnswer,
  type WorkerRequest,
} from '../../src/engines/ocr/tesseract/worker-messages.js';

/** `crash-in:<pid>` crashes that worker and no other. */
export type Behaviour =
  'fine' | 'hang' | 'crash' | 'damaged' | 'environment' | 'grow' | 'huge' | 'nonsense' | 'pid' | `crash-in:${string}`;

export interface FaultyDocument {
  readonly opening?: Behaviour;
  readonly pages: readonly Behaviour[];
}

const memory: Buffer[] = [];
const documents = new Map<number, FaultyDocument>();
answerRequests((request, document) => Promise.resolve(answer(request, document)));

function answer(request: WorkerRequest, bytes: Buffer): WorkerAnswer | undefined {
  switch (request.kind) {
    case 'open': {
      const document = JSON.parse(bytes.toString()) as FaultyDocument;
      documents.set(request.documentId, document);
      const isOpen = behave(document.opening ?? 'fine') !== undefined;
      return isOpen ? { kind: 'opened', pageCount: document.pages.length } : undefined;
    }
    case 'read':
      return behave(documents.get(request.documentId)?.pages[request.pageIndex] ?? 'crash');
    case 'close':
      return { kind: 'closed', memoryBytes: 0 };
  }
}

/** Nothing when it is to hang. */
function behave(behaviour: Behaviour): WorkerAnswer | undefined {
  if (behaviour === 'hang') return undefined;
  if (behaviour === 'crash') process.exit(1);
  if (behaviour === 'damaged') return { kind: 'page-failed', failure: 'is damaged.' };
  if (behaviour === 'environment') return page(Object.keys(process.env).join());
  if (behaviour === 'grow') {
    // Outside V8's heap, as the memory of libraries is.
    for (let megabytes = 0; megabytes < 600; megabytes += 20) memory.push(Buffer.alloc(20 * 1024 * 1024, 1));
    return undefined;
  }
  if (behaviour === 'huge') {
    // Lengths of 4 GB each.
    writeSync(answerDescriptor, Buffer.alloc(8, 0xff));
    return undefined;
  }
  if (behaviour === 'nonsense') return { kind: 'closed', memoryBytes: -1 };
  if (behaviour === 'pid') return page(String(process.pid));
  if (behaviour === `crash-in:${process.pid}`) process.exit(1);
  return page('fine');
}

function page(markdown: string): WorkerAnswer {
  const words = { starts: new Uint32Array(), lengths: new Uint32Array(), confidences: new Float64Array() };
  return { kind: 'page', markdown, dimensions: { dpi: 200, width: 1, height: 1 }, words };
}
