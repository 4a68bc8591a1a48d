import type { EngineClient } from '../engine-client.js';

/** What to read of a document. */
export interface ReadOptions {
  /** Whose share of the queue and whose turns it takes. */
  readonly client?: EngineClient;
  /** Zero-based, in ascending order and without repeats; undefined for all pages. */
  readonly pages: readonly number[] | undefined;
  /** Called with each page that could be read, in any order. An error it throws ends the reading. */
  readonly onPage?: (page: ReadPage) => void;
}

/** One word as it was recognised. */
export interface WordConfidence {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Where the word starts in the page's Markdown, in UTF-16 units. */
  readonly startIndex: number;
}

/** One page of a document that was read. */
export interface ReadPage {
  /** Zero-based. */
  readonly index: number;
  readonly markdown: string;
  /** Of the image that was recognised, in pixels; for pages with a text layer, of the page at that density. */
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
  /** In the order of the Markdown; all 1 where the text comes from the document's own text layer. */
  readonly words: readonly WordConfidence[];
}

/** A page that could not be read, while others could. */
export interface FailedPage {
  readonly index: number;
  /** For the caller: what went wrong, with the page's number. */
  readonly failure: string;
}

/** Reads documents on this machine. */
export interface OcrEngine {
  /** @throws EngineBusyError when no more documents of the client may wait, so that a route need not read the body */
  refuseWhenBusy(client?: EngineClient): void;
  /**
   * The pages asked for, in ascending order.
   *
   * @throws DocumentError when the document cannot be read at all; EngineBusyError at once when the queue is full;
   *   EngineFailedError when the engine cannot run; the signal's reason when it is aborted, in which case the work
   *   is dropped
   */
  read(document: Buffer, options: ReadOptions, signal: AbortSignal): Promise<(ReadPage | FailedPage)[]>;
  /** `idle` until the first use; `failed` after the engine could not be loaded. */
  state(): 'idle' | 'ready' | 'failed';
  /** Ends the workers; what still waits is rejected. */
  close(): Promise<void>;
}

/** What is wrong with a document, for programs. */
export type DocumentProblem =
  | 'too-large'
  | 'unsupported-type'
  | 'corrupt'
  | 'encrypted'
  | 'empty'
  | 'too-many-pages'
  | 'too-many-pixels'
  | 'too-much-text'
  | 'too-much-memory'
  | 'page-out-of-range';

/** The document cannot be read; the message is for the caller. */
export class DocumentError extends Error {
  override name = 'DocumentError';
  constructor(
    readonly problem: DocumentProblem,
    message: string,
  ) {
    super(message);
  }
}
