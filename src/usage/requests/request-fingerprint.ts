import { createHash } from 'node:crypto';

/** Bytes of a request ID's hash that chunks keep. One chunk of 50 requests in 100,000 has those of another ID by chance. */
export const fingerprintBytes = 3;

/**
 * Start of the hash of a request ID. Chunks have those of their requests, so that a search only reads the text of chunks that
 * may have the request: an index of request IDs would take more space than the requests.
 */
export function fingerprintOf(requestId: string): Buffer {
  return createHash('sha256').update(requestId).digest().subarray(0, fingerprintBytes);
}
