/*
 * A worker whose behavior is determined by the document, which is a {@link FaultyDocument} as JSON.
 */
import { writeSync } from 'node:fs';
import { responseDescriptor, type WorkerRequest, type WorkerResponse } from '../src/worker-messages.js';
import { serveRequests } from '../src/worker-pipe.js';

/** `crash-in:<pid>` crashes only the worker with this process id. */
export type Behavior =
  | 'fine'
  | 'hang'
  | 'crash'
  | 'damaged'
  | 'environment'
  | 'grow'
  | 'oversized'
  | 'invalid'
  | 'pid'
  | `crash-in:${string}`;

export interface FaultyDocument {
  /** Behavior when the document is opened. */
  readonly opening?: Behavior;
  /** Behavior when each page is read. */
  readonly pages: readonly Behavior[];
}

const memory: Buffer[] = [];
const documents = new Map<number, FaultyDocument>();
serveRequests((request, document) => Promise.resolve(handle(request, document)));

function handle(request: WorkerRequest, bytes: Buffer): WorkerResponse | undefined {
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

/** Returns undefined if the worker hangs. */
function behave(behavior: Behavior): WorkerResponse | undefined {
  if (behavior === 'hang') return undefined;
  if (behavior === 'crash') process.exit(1);
  if (behavior === 'damaged') return { kind: 'page-failed', failure: 'is damaged.' };
  if (behavior === 'environment') return page(Object.keys(process.env).join());
  if (behavior === 'grow') {
    // Outside V8's heap, like the memory of libraries.
    for (let megabytes = 0; megabytes < 600; megabytes += 20) memory.push(Buffer.alloc(20 * 1024 * 1024, 1));
    return undefined;
  }
  if (behavior === 'oversized') {
    // The header of a message with a head and a body of 4 GB each.
    writeSync(responseDescriptor, Buffer.alloc(8, 0xff));
    return undefined;
  }
  if (behavior === 'invalid') return { kind: 'closed', memoryBytes: -1 };
  if (behavior === 'pid') return page(String(process.pid));
  if (behavior === `crash-in:${process.pid}`) process.exit(1);
  return page('fine');
}

function page(markdown: string): WorkerResponse {
  const words = { starts: new Uint32Array(), lengths: new Uint32Array(), confidences: new Float64Array() };
  const dimensions = { dpi: 200, width: 1, height: 1 };
  return {
    kind: 'page',
    markdown,
    headerEnd: 0,
    footerStart: markdown.length,
    dimensions,
    words,
    images: [],
    isBlank: true,
    languages: [],
  };
}
