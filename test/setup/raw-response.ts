export interface RawResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Its length in bytes, including interim responses before it. */
  length: number;
  /** Statuses of interim responses, such as 100. */
  interim: number[];
}

/**
 * Parses the first final response.
 *
 * @returns undefined while it is incomplete
 * @throws Error if it is malformed
 */
export function parseRawResponse(bytes: Buffer, hasEnded: boolean): RawResponse | undefined {
  const interim: number[] = [];
  for (let start = 0; ;) {
    const headEnd = bytes.indexOf('\r\n\r\n', start);
    if (headEnd === -1) return undefined;
    const head = parseHead(bytes.toString('latin1', start, headEnd));
    start = headEnd + 4;
    if (head.status < 200) {
      interim.push(head.status);
      continue;
    }
    const body = parseBody(head, bytes.subarray(start), hasEnded);
    if (body === undefined) return undefined;
    return { ...head, body: body.text, length: start + body.length, interim };
  }
}

function parseHead(text: string): Pick<RawResponse, 'status' | 'headers'> {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) [\w '-]*$/.exec(statusLine) ?? [];
  if (status === undefined) throw new Error(`Not a status line: ${JSON.stringify(statusLine)}`);
  const headers = lines.map((line) => {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`Not a header: ${JSON.stringify(line)}`);
    return [name.toLowerCase(), value];
  });
  return { status: Number(status), headers: Object.fromEntries(headers) as Record<string, string> };
}

function parseBody(head: Pick<RawResponse, 'status' | 'headers'>, rest: Buffer, hasEnded: boolean) {
  if (head.status === 204 || head.status === 304) return { text: '', length: 0 };
  const contentLength = head.headers['content-length'];
  if (contentLength !== undefined) {
    const length = Number(contentLength);
    return rest.length < length ? undefined : { text: rest.toString('utf8', 0, length), length };
  }
  if (head.headers['transfer-encoding'] === 'chunked') return parseChunks(rest);
  return hasEnded ? { text: rest.toString('utf8'), length: rest.length } : undefined;
}

function parseChunks(rest: Buffer): { text: string; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let start = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', start);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(rest.toString('latin1', start, lineEnd), 16);
    const chunkEnd = lineEnd + 2 + size;
    if (rest.length < chunkEnd + 2) return undefined;
    if (size === 0) return { text: Buffer.concat(chunks).toString('utf8'), length: chunkEnd + 2 };
    chunks.push(rest.subarray(lineEnd + 2, chunkEnd));
    start = chunkEnd + 2;
  }
}
