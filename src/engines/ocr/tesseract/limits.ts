/*
 * Limits on documents. Each is checked before the work that it bounds, because a small file can contain a huge image.
 */

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
/** Waiting and running documents of all organizations. */
export const maxDocuments = 64;
export const pageTimeoutSeconds = 60;
/** Worker time per document, in addition to `pageBudgetSeconds` for each requested page. */
export const documentBudgetSeconds = 120;
export const pageBudgetSeconds = 10;
/** Resolution at which PDF pages are rendered. Assumed for images without a plausible resolution. */
export const pageDpi = 200;
