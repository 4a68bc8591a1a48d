import type { Readable } from 'node:stream';
import { AppError } from '../errors/app-error.js';

/** A 413 that names the limit. */
export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError(
    'payload-too-large',
    `The body is larger than the ${inWords(limitBytes)} that this route allows.`,
  );
}

/**
 * The whole body as bytes. One that is too large is given up at once and left unread.
 *
 * @throws AppError 413; the stream's error when the client goes away
 */
export async function readBody(body: Readable, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection must outlive a refused body: the answer goes through it.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw bodyTooLarge(limitBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
}

function inWords(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes >= megabyte ? `${Math.floor(bytes / megabyte)} MB` : `${Math.floor(bytes / 1024)} KB`;
}
