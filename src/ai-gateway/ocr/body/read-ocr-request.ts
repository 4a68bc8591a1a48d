import { randomUUID } from 'node:crypto';
import { AppError } from '../../../common/errors/app-error.js';
import { type DocumentSource, parseDocumentUrl } from '../document-field.js';
import { type OcrOptions, parseOcrRequest } from '../ocr-request.js';
import { decodeBase64, decodeBase64InPlace } from './base64.js';

export interface OcrRequest extends OcrOptions {
  document: DocumentSource;
}

/**
 * Maximum size of a body without its document; smaller bodies are parsed as a whole. Checking ten thousand made-up
 * fields takes milliseconds.
 */
const defaultMaxRestBytes = 64 * 1024;

const beforeBase64 = Buffer.from(';base64,');
const quote = '"'.charCodeAt(0);

/**
 * Reads a JSON body and the document in it. A large document is cut out of the JSON and decoded separately: parsing and
 * decoding 50 MB at once would block the event loop for half a second.
 *
 * @param bytes the body; the document is decoded in place, so nothing else may use them afterwards
 * @throws AppError 400 that names the field, 413 if the rest of the body is too large
 */
export async function readOcrRequest(bytes: Buffer, maxRestBytes = defaultMaxRestBytes): Promise<OcrRequest> {
  if (bytes.length <= maxRestBytes) {
    const { documentUrl, ...options } = parseOcrRequest(parseJson(bytes.toString('utf8')));
    return { ...options, document: await parseDocumentUrl(documentUrl, decodeBase64) };
  }
  const large = findLargeBase64(bytes, maxRestBytes);
  if (large === undefined) throw restTooLarge(maxRestBytes);
  // An unguessable placeholder shows where in the JSON the text was.
  const placeholder = randomUUID();
  const rest = bytes.toString('utf8', 0, large.start) + placeholder + bytes.toString('utf8', large.end);
  const { documentUrl, ...options } = parseOcrRequest(parseJson(rest));
  if (!documentUrl.endsWith(`;base64,${placeholder}`)) throw restTooLarge(maxRestBytes);
  const document = await parseDocumentUrl(documentUrl, () => decodeBase64InPlace(bytes, large.start, large.end));
  if ('url' in document) throw restTooLarge(maxRestBytes);
  return { ...options, document };
}

/** Finds the base64 that makes the body large; undefined if there is none. */
function findLargeBase64(bytes: Buffer, maxRestBytes: number): { start: number; end: number } | undefined {
  const head = bytes.subarray(0, maxRestBytes);
  let found = head.indexOf(beforeBase64);
  while (found !== -1) {
    const start = found + beforeBase64.length;
    const end = bytes.indexOf(quote, start);
    if (end === -1) return undefined;
    if (bytes.length - (end - start) <= maxRestBytes) return { start, end };
    found = head.indexOf(beforeBase64, end);
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('malformed-request', 'The body is not valid JSON.', { cause: error });
  }
}

function restTooLarge(maxRestBytes: number): AppError {
  const message = `The body must be at most ${maxRestBytes} bytes without the base64 of its document.`;
  return new AppError('payload-too-large', message);
}
