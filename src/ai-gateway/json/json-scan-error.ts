/** The text is not JSON, not an object, or cut off. The message goes on from a subject: `is not valid JSON`. */
export class JsonScanError extends Error {
  override name = 'JsonScanError';
}
