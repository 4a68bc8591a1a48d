/*
 * What the service and a worker process say to each other. The service sends one request and waits for its answer;
 * the bytes of a document follow its `open` on a pipe of their own, since a message would be copied at one stroke.
 */
import type { DocumentProblem } from '../ocr-engine.js';

/** File descriptor of the pipe in the worker. */
export const documentPipe = 4;

export type WorkerRequest =
  | { readonly kind: 'open'; readonly documentId: number; readonly byteLength: number }
  | { readonly kind: 'read'; readonly documentId: number; readonly pageIndex: number }
  | { readonly kind: 'close'; readonly documentId: number };

/** Words of a page, packed: where each stands in the Markdown, and how sure it is. */
export interface PackedWords {
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
  readonly confidences: Float64Array;
}

export interface ReadAnswer {
  readonly kind: 'page';
  readonly markdown: string;
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
  readonly words: PackedWords;
}

export type WorkerAnswer =
  /** Sent once, when the worker has started. */
  | { readonly kind: 'started' }
  | { readonly kind: 'opened'; readonly pageCount: number }
  | { readonly kind: 'closed'; readonly memoryBytes: number }
  | ReadAnswer
  /** The document cannot be read. */
  | { readonly kind: 'refused'; readonly problem: DocumentProblem; readonly message: string }
  /** This page cannot be read; `failure` completes the sentence "Page 3 …". */
  | { readonly kind: 'page-failed'; readonly failure: string }
  /** The worker itself cannot work, for a reason that is none of the document's. */
  | { readonly kind: 'broken'; readonly reason: string };
