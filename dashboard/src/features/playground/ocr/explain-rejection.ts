const megabyte = 1024 * 1024;

/** The service's limit. It is checked before sending: browsers do not show answers that come while they still send. */
export const largestDocumentBytes = 50 * megabyte;

/** Why files that were dropped are not taken. */
export function explainRejection(fileCount: number): string {
  if (fileCount > 1) return 'Drop one document at a time.';
  return `A document may have ${largestDocumentBytes / megabyte} MB; this one is larger.`;
}
