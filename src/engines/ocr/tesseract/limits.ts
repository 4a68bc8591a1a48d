/*
 * What is read at most. Each is checked before the work it bounds: a small file can stand for a huge picture.
 */

export const maxDocumentBytes = 50 * 1024 * 1024;
export const maxPages = 1_000;
/** Of an image as it is stored: A3 at 600 dpi has 70 million. */
export const maxImagePixels = 100_000_000;
/** Of a picture as it is recognised; larger ones are made smaller. */
export const maxRecognizedPixels = 12_000_000;
/** Of the text layer of one page. */
export const maxPageCharacters = 200_000;
/** Of the Markdown of one page, in UTF-16 units: its text and the marks around it. */
export const maxPageMarkdownLength = 500_000;
/** Rows with more columns are written as lines. */
export const maxTableColumns = 64;
/** At which the pages of a PDF are rendered, and images without a believable density are read. */
export const pageDpi = 200;
