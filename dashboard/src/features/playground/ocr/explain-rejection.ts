const megabyte = 1024 * 1024;

/** The service's limit, checked here because browsers ignore responses that arrive while they upload. */
export const maxDocumentBytes = 50 * megabyte;

/** Returns why dropped files were rejected. */
export function explainRejection(fileCount: number): string {
  if (fileCount > 1) return 'Drop one document at a time.';
  return `The document must be at most ${maxDocumentBytes / megabyte} MB.`;
}
