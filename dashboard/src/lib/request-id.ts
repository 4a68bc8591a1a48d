/**
 * Returns the request ID that the text ends with, if it has the form of Keycard's, a UUID, or of proxies that write UUIDs without
 * hyphens. Before it may be a word, such as in the ID of a response, `embd-…`, or the name of the header. Clients can send other
 * request IDs, which look like any other text.
 */
export function readRequestId(text: string): string | undefined {
  return /^\s*(?:[\w-]+[-:_]\s*)?([0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12})\s*$/i.exec(text)?.[1];
}
