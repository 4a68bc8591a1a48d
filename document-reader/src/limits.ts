import { constants } from 'node:os';

/*
 * Limits on documents. Each is checked before the work that it bounds, because a small file can contain a huge image.
 */

/** The limits that the owner of a reader chooses. */
export interface DocumentLimits {
  readonly maxBytes: number;
  readonly maxPages: number;
  /** Images of a page that are returned, the largest ones. */
  readonly maxPageImages: number;
  /** Languages of a page. */
  readonly maxLanguages: number;
}

/** Pixels of an image file. A3 at 600 dpi has 70 million. */
export const maxImagePixels = 100_000_000;
/** Larger images are scaled down before recognition. */
export const maxRecognizedPixels = 12_000_000;
/** Characters in the text layer of a page. */
export const maxPageCharacters = 200_000;
/** Length of a page's Markdown, in UTF-16 code units. */
export const maxPageMarkdownLength = 500_000;
/** Wider tables are written as lines. */
export const maxTableColumns = 64;
/**
 * Pages with a lower confidence have a warning. Chosen by measurement: drawn pages of which at least 97% of the words are
 * read reach 0.89 (blurred) to 0.96 (clean). Pages with less than 75%, read in the wrong language, covered with stripes or
 * too blurred, stay at 0.78 or below. Noise in between reaches 0.83 with 87%.
 */
export const lowConfidence = 0.8;
/** Size of a page's images as JPEG. */
export const maxPageImageBytes = 16 * 1024 * 1024;
export const pageTimeoutSeconds = 60;
/**
 * Leaves most processor time to requests. With the lowest priority, a busy machine would leave so little for recognition
 * that pages and starting workers exceed their time.
 */
export const recognitionPriority = constants.priority.PRIORITY_BELOW_NORMAL;
/** Worker time per document, in addition to `pageBudgetSeconds` for each requested page. */
export const documentBudgetSeconds = 120;
export const pageBudgetSeconds = 10;
/** Resolution at which PDF pages are rendered. Assumed for images without a plausible resolution. */
export const pageDpi = 200;
