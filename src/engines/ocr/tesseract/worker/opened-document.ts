import type { TextLine } from '../layout/text.js';

/** What was found on a page. */
export interface PageText {
  readonly lines: readonly TextLine[];
  /** Of the picture that was recognised, or of the page at {@link pageDpi}. */
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
}

/** A document whose pages can be read in any order. */
export interface OpenedDocument {
  readonly pageCount: number;
  /** @throws PageFailure when this page cannot be read */
  read(pageIndex: number): Promise<PageText>;
  close(): void;
}

/** One page cannot be read; the message completes the sentence "Page 3 …". */
export class PageFailure extends Error {
  override name = 'PageFailure';
}
