/*
 * A worker of the OCR engine that is told by the document what to do. The document is JSON: `opening` says what
 * happens when it is opened, `pages` what each page does.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import {
  documentPipe,
  type WorkerAnswer,
  type WorkerRequest,
} from '../../src/ai-gateway/engines/tesseract/worker-messages.js';

/** `once:<path>` crashes when there is no such file, which it creates. */
export type Behaviour = 'fine' | 'hang' | 'crash' | 'damaged' | 'environment' | `once:${string}`;

export interface FaultyDocument {
  readonly opening?: Behaviour;
  readonly pages: readonly Behaviour[];
}

const documents = new Map<number, FaultyDocument>();
const pipe = new Socket({ fd: documentPipe, readable: true, writable: false });

process.on('disconnect', () => process.exit());
process.on('message', (request: WorkerRequest) => {
  void answer(request).then((message) => message && process.send?.(message));
});
process.send?.({ kind: 'started' });

async function answer(request: WorkerRequest): Promise<WorkerAnswer | undefined> {
  switch (request.kind) {
    case 'open': {
      const document = JSON.parse(await receive(request.byteLength)) as FaultyDocument;
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
  if (behaviour !== 'fine') {
    const path = behaviour.slice('once:'.length);
    if (!existsSync(path)) {
      writeFileSync(path, '');
      process.exit(1);
    }
  }
  return page('fine');
}

function page(markdown: string): WorkerAnswer {
  const words = { starts: new Uint32Array(), lengths: new Uint32Array(), confidences: new Float64Array() };
  return { kind: 'page', markdown, dimensions: { dpi: 200, width: 1, height: 1 }, words };
}

async function receive(byteLength: number): Promise<string> {
  let text = '';
  for await (const chunk of pipe.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.length === byteLength) break;
  }
  return text;
}
