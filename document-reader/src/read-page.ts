export interface ReadOptions {
  /** Zero-based indexes in ascending order, without duplicates; undefined for all pages. */
  readonly pages: readonly number[] | undefined;
  /** Languages to expect, the most likely first; the reader's languages by default. Their data must be installed. */
  readonly languages?: readonly string[];
  /** Images are found without options, too, but not included. */
  readonly images?: ImageOptions;
  /** Called with the number of pages before any of them is read. If it rejects, none is read. */
  readonly beforePages?: (pageCount: number) => Promise<void>;
  /**
   * Called for each page that was read or couldn't be, in any order, but not for those that weren't tried. If it throws,
   * reading stops with its error.
   */
  readonly onPage?: (page: ReadPage | FailedPage) => void;
}

export interface ImageOptions {
  /** Whether pages have the images themselves, not only their boxes. */
  readonly areIncluded: boolean;
  /** Maximum number on a page. */
  readonly limit?: number;
  /** Minimum width and height. */
  readonly minPixels?: number;
}

/** An image on a page. */
export interface PageImage {
  /** Where it belongs in the page's Markdown, in UTF-16 code units: at the start of a block, or at the end. */
  readonly position: number;
  /** In pixels of the page's dimensions. */
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** Undefined if it wasn't requested, or is too large. */
  readonly jpeg: Buffer | undefined;
}

export interface WordConfidence {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Position in the page's Markdown, in UTF-16 code units. */
  readonly startIndex: number;
}

/** Why a person should check a page. `no_text_found`: no words were found, but the page isn't blank. */
export type PageWarning = 'no_text_found' | 'low_confidence';

export interface ReadPage {
  /** Zero-based. */
  readonly index: number;
  readonly markdown: string;
  /** The Markdown before `headerEnd` is from the top margin, and that from `footerStart` from the bottom margin. */
  readonly headerEnd: number;
  readonly footerStart: number;
  /** Size in pixels of the image that was recognized. For a page with a text layer, its size at this resolution. */
  readonly dimensions: { readonly dpi: number; readonly width: number; readonly height: number };
  /** In the order of the Markdown. Confidence is 1 for words from a text layer. */
  readonly words: readonly WordConfidence[];
  /** In the order of the Markdown, which has no references to them. */
  readonly images: readonly PageImage[];
  /** Mean confidence of the words, weighted by length; null without words. */
  readonly confidence: number | null;
  /** Null for a page without words if the page is blank. */
  readonly warning: PageWarning | null;
  /** Languages of the data that the page was recognized with, the main one first; empty for a page with digital text. */
  readonly languages: readonly string[];
}

/** A page that could not be read. */
export interface FailedPage {
  readonly index: number;
  /** A sentence for the sender of the document, which names the page. */
  readonly failure: string;
  /** Whether reading it was ended because it took too much time or memory. */
  readonly wasKilled?: true;
}
