import { AppError } from '../../../common/errors/app-error.js';
import { DocumentError } from '../../../engines/ocr/ocr-engine.js';

const megabyte = 1024 * 1024;

/** Of one document, as bytes, not as base64. */
export const largestDocumentBytes = 50 * megabyte;

/**
 * Of a body: a document of 50 MB is 67 MB of base64, and may be a tenth more where each `+`, `/` and `=` is escaped.
 */
export const largestBodyBytes = 80 * megabyte;

/** Of one response: a thousand full pages with the confidence of each word. */
export const largestResponseBytes = 64 * megabyte;

/** Of all documents and responses that are held at once. */
export const documentMemoryBytes = 1024 * megabyte;

/** A document with more text than a response may have. */
export function tooMuchText(limitBytes: number): DocumentError {
  const limit = `${limitBytes / megabyte} MB`;
  return new DocumentError('too-much-text', `The response would exceed its limit of ${limit}; request fewer pages.`);
}

/** A 413 that names where the document was. */
export function documentTooLarge(field: 'document' | 'file'): AppError {
  const message = `A document may have ${largestDocumentBytes / megabyte} MB; this one is larger.`;
  return new AppError('payload-too-large', message, { fields: [{ field, message }] });
}
