import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';

const document = `data:application/pdf;base64,${btoa('no document')}`;
/** Requests of every route under `/v1`, to embedded models, upstreams and unknown models. */
const requests = [
  ['POST /v1/embeddings', { model: 'universal-sentence-encoder-lite', input: 'A text of some tokens' }],
  ['POST /v1/embeddings', { model: 'small', input: ['A text', 'and another one'] }],
  ['POST /v1/embeddings', { model: 'unknown', input: 'A text' }],
  ['POST /v1/ocr', { model: 'tesseract', document: { document_url: document } }],
  ['POST /v1/ocr', { model: 'scans', document: { document_url: document } }],
  ['POST /v1/ocr/upload', {}],
  ['GET /v1/models', undefined],
  ['GET /v1/models/small', undefined],
  ['GET /v1/authorize', undefined],
  ['GET /v1/key', undefined],
] as const;

const someAbort = fc.record({
  request: fc.constantFrom(...requests),
  /** How much of it is sent. */
  sent: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  /** When it's aborted after that. */
  milliseconds: fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat({ max: 40 })),
  /** Whether the client pipelines a second request. */
  isPipelined: fc.boolean(),
  /** Whether the client resets the connection instead of closing it. */
  isReset: fc.boolean(),
});
type Abort = typeof someAbort extends fc.Arbitrary<infer A> ? A : never;

/** Sends requests with a key that are aborted at random points, some of them at the same time. */
export async function abortRequests(
  url: string,
  key: string,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<void> {
  const aborts = fc.sample(someAbort, { numRuns: count });
  const sendEach = async (first: number) => {
    for (let index = first; index < count; index += atOnce) {
      const abort = aborts[index];
      if (abort !== undefined) await abortRequest(url, key, abort);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => sendEach(first)));
}

async function abortRequest(
  url: string,
  key: string,
  { request: [route, body], sent, milliseconds, isPipelined, isReset }: Abort,
): Promise<void> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lengthHeaders =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${text.length}\r\n`;
  const request = `${route} HTTP/1.1\r\nhost: keycard\r\nx-api-key: ${key}\r\n${lengthHeaders}\r\n${text}`;
  const bytes = isPipelined ? request + request : request;
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  // The service may reset connections as well.
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    socket.once('close', resolve);
    socket.write(bytes.slice(0, Math.ceil(bytes.length * sent)), () => resolve());
  });
  await delay(milliseconds);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
}
