import type { FileError, FileRejection } from 'react-dropzone';
import { documentTooLargeMessage } from '@rules/document-limits.js';

/** Rejects files that aren't documents. */
export const unknownType: FileError = {
  code: 'file-invalid-type',
  message: 'The document must be a PDF or an image (PNG, JPEG, WebP, TIFF or GIF).',
};

/** Returns why dropped files were rejected. */
export function explainRejection(rejections: Pick<FileRejection, 'errors'>[]): string {
  if (rejections.length > 1) return 'Drop one document at a time.';
  const isDocument = rejections[0]?.errors.every(({ code }) => code !== unknownType.code) === true;
  return isDocument ? documentTooLargeMessage : unknownType.message;
}
