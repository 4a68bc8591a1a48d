import { documentTooLargeMessage } from '@rules/document-limits.js';

/** Returns why dropped files were rejected. */
export function explainRejection(fileCount: number): string {
  return fileCount > 1 ? 'Drop one document at a time.' : documentTooLargeMessage;
}
