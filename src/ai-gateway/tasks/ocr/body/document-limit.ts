import { AppError } from '../../../../common/errors/app-error.js';
import { documentTooLargeMessage } from '../../../../common/rules/document-limits.js';
import { DocumentError } from '../../../../engines/ocr/ocr-engine.js';

const megabyte = 1024 * 1024;

/** 50 MB are 67 MB in base64, and up to a tenth more if each `+`, `/` and `=` is escaped. */
export const maxBodyBytes = 80 * megabyte;

/** Enough for a thousand full pages with the confidence of each word. */
export const maxResponseBytes = 64 * megabyte;

/** For all bodies, documents and results together. */
export const bodyMemoryBytes = 1024 * megabyte;

/** For the largest body and response of an organization, which gets three quarters if it's the only one. */
export const minBodyMemoryBytes = Math.ceil((maxBodyBytes + 2 * maxResponseBytes) / 0.75);

/** A document with more text than fits in a response. */
export function tooMuchText(maxBytes: number): DocumentError {
  const limit = `${maxBytes / megabyte} MB`;
  return new DocumentError('too-much-text', `The response would exceed its limit of ${limit}; request fewer pages.`);
}

/** A 413 that names the field of the document. */
export function documentTooLarge(field: 'document' | 'file'): AppError {
  return new AppError('payload-too-large', documentTooLargeMessage, {
    fields: [{ field, message: documentTooLargeMessage }],
  });
}
