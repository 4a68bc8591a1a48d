/**
 * Returns the request ID that the text consists of, if it has the form of Keycard's, a UUID, or of proxies that write UUIDs without
 * hyphens. Clients can send others, which look like any other text.
 */
export function readRequestId(text: string): string | undefined {
  return /^\s*([0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12})\s*$/i.exec(text)?.[1];
}
