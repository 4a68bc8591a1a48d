/** Limits on documents for OCR. Shared with the dashboard, so no dependencies. */

const megabyte = 1024 * 1024;

/** Maximum size of a document, decoded from base64. */
export const maxDocumentBytes = 50 * megabyte;
export const maxDocumentPages = 1_000;
/** Languages of a request or a model. */
export const maxOcrLanguages = 10;

/** Explains {@link maxDocumentBytes}. */
export const documentTooLargeMessage = `The document must be at most ${maxDocumentBytes / megabyte} MB.`;

/** Images of a page that are returned, the largest ones. */
export const maxPageImages = 32;
