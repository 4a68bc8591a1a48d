import { randomUUID } from 'node:crypto';
import { AppError } from '../../../common/errors/app-error.js';
import { type DocumentSource, parseDocumentUrl } from '../document-field.js';
import { type OcrOptions, parseOcrRequest } from '../ocr-request.js';
import { decodeBase64, decodeBase64InPlace } from './base64.js';

export interface OcrRequest extends OcrOptions {
  document: DocumentSource;
}

/**
 * How much a body may have in addition to its document; smaller bodies are parsed as they are. Checking ten thousand
 * made-up fields takes milliseconds.
 */
const defaultLargestRestBytes = 64 * 1024;

const beforeBase64 = Buffer.from(';base64,');
const quote = '"'.charCodeAt(0);

/**
 * Reads a JSON body, and a document in it, which may be large: the text of one of 50 MB is taken out of the JSON
 * and decoded by itself, since parsing and decoding it at once would stop the event loop for half a second.
 *
 * @param bytes the body; the document is decoded in place, so nothing else may use them afterwards
 * @throws AppError 400 that names the field, 413 for too much besides the document
 */
export async function readOcrRequest(bytes: Buffer, largestRestBytes = defaultLargestRestBytes): Promise<OcrRequest> {
  if (bytes.length <= largestRestBytes) {
    const { documentUrl, ...options } = parseOcrRequest(parseJson(bytes.toString('utf8')));
    return { ...options, document: await parseDocumentUrl(documentUrl, decodeBase64) };
  }
  const large = findLargeBase64(bytes, largestRestBytes);
  if (large === undefined) throw tooMuchBesides(largestRestBytes);
  // A value that nobody can guess stands in for the text, so that it is known where in the JSON the text was.
  const standIn = randomUUID();
  const rest = bytes.toString('utf8', 0, large.start) + standIn + bytes.toString('utf8', large.end);
  const { documentUrl, ...options } = parseOcrRequest(parseJson(rest));
  if (!documentUrl.endsWith(`;base64,${standIn}`)) throw tooMuchBesides(largestRestBytes);
  const document = await parseDocumentUrl(documentUrl, () => decodeBase64InPlace(bytes, large.start, large.end));
  if ('url' in document) throw tooMuchBesides(largestRestBytes);
  return { ...options, document };
}

/** The inside of the string that makes the body large, after `;base64,`; undefined when there is no such string. */
function findLargeBase64(bytes: Buffer, largestRestBytes: number): { start: number; end: number } | undefined {
  const head = bytes.subarray(0, largestRestBytes);
  let found = head.indexOf(beforeBase64);
  while (found !== -1) {
    const start = found + beforeBase64.length;
    const end = bytes.indexOf(quote, start);
    if (end === -1) return undefined;
    if (bytes.length - (end - start) <= largestRestBytes) return { start, end };
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

function tooMuchBesides(largestRestBytes: number): AppError {
  const message = `Besides the base64 of its document, a body may have ${largestRestBytes} bytes.`;
  return new AppError('payload-too-large', message);
}
