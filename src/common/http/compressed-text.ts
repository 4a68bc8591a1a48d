import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Dense enough for a few hundred kilobytes, and done in milliseconds. */
const brotliQuality = 5;

/** A text that never changes while the service runs, in the encodings that clients accept. */
export interface CompressedText {
  etag: string;
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** Compresses the text once, for all requests. */
export function compressText(text: string): CompressedText {
  const identity = Buffer.from(text);
  return {
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    identity,
    br: brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
    gzip: gzipSync(identity),
  };
}

/** Sends the text compressed, or 304 if the client has it already. Clients ask each time, because an upgrade changes it. */
export function sendCompressed(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { etag, ...bodies }: CompressedText,
): FastifyReply {
  void reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag });
  if (headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
  const accepted = acceptedEncodings(String(headers['accept-encoding'] ?? ''));
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name));
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.send(bodies[encoding ?? 'identity']);
}

/** The encodings in an `Accept-Encoding` header, without those with weight 0 (RFC 9110 §12.5.3). */
export function acceptedEncodings(header: string): string[] {
  return header.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
}
