import { randomUUID } from 'node:crypto';
import { AppError } from '../../../../common/errors/app-error.js';
import { nextTurn } from '../../../../common/event-loop-turn.js';
import { maxDocumentBytes } from '../../../../common/rules/document-limits.js';
import { invalidDocument, type OcrOptions, parseOcrRequest } from '../ocr-request.js';
import { documentTooLarge } from './document-limit.js';

/** A document: sent along, or to be fetched. */
export type DocumentSource = { bytes: Buffer } | { url: URL };

export interface OcrRequest extends OcrOptions {
  document: DocumentSource;
}

/**
 * Maximum size of a body without its document; smaller bodies are parsed as a whole. Checking ten thousand made-up
 * fields takes milliseconds.
 */
const defaultMaxRestBytes = 64 * 1024;

/** Signed URLs of object stores have hundreds of characters. */
const maxUrlLength = 8000;

/** Base64 that takes about a millisecond to decode. */
const base64BytesPerTurn = 256 * 1024;

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

/**
 * Reads the URL of a document.
 *
 * @param decode decodes the text after `;base64,`; returns undefined if it's invalid
 * @throws AppError 400, 413 if the document is too large
 */
export async function parseDocumentUrl(
  url: string,
  decode: (text: string) => Buffer | undefined | Promise<Buffer | undefined>,
): Promise<DocumentSource> {
  const [, base64] = /^data:[^,]*;base64,(.*)$/is.exec(url) ?? [];
  if (base64 !== undefined) {
    const bytes = await decode(base64);
    if (bytes === undefined) throw invalidDocument('The data: URL of the document must be valid base64, with padding.');
    if (bytes.length > maxDocumentBytes) throw documentTooLarge('document');
    return { bytes };
  }
  if (/^data:/i.test(url)) throw invalidDocument('A data: URL must have ;base64, before its data.');
  if (url.length > maxUrlLength) throw invalidDocument(`A URL must have at most ${maxUrlLength} characters.`);
  if (/^https?:/i.test(url) && URL.canParse(url)) return { url: new URL(url) };
  throw invalidDocument('The URL of a document must begin with https://, http:// or data: and be well-formed.');
}

/** Decodes base64 (RFC 4648 §4, with padding); undefined if it's invalid. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid characters. Encoding again is the fastest way to find out whether it did.
  return bytes.toString('base64') === text ? bytes : undefined;
}

/**
 * Decodes base64 inside a JSON string, in turns and in place: the result replaces the text, which takes no further
 * memory, and 50 MB don't delay other requests.
 *
 * @returns the decoded part of `bytes`, or undefined if the text isn't base64; `bytes` is overwritten either way
 */
export async function decodeBase64InPlace(
  bytes: Buffer,
  start: number,
  end: number,
  bytesPerTurn = base64BytesPerTurn,
): Promise<Buffer | undefined> {
  let decodedEnd = start;
  let heldBack = { escaped: '', text: '' };
  for (let place = start; place < end; place += bytesPerTurn) {
    if (place > start) await nextTurn();
    const isLast = place + bytesPerTurn >= end;
    const escaped = heldBack.escaped + bytes.toString('latin1', place, Math.min(place + bytesPerTurn, end));
    const wholeEscapes = isLast ? escaped.length : endOfWholeEscapes(escaped);
    const unescaped = unescape(escaped.slice(0, wholeEscapes));
    if (unescaped === undefined) return undefined;
    const text = heldBack.text + unescaped;
    const wholeGroups = isLast ? text.length : text.length - (text.length % 4);
    const decoded = decodeBase64(text.slice(0, wholeGroups));
    // Padding is allowed only at the end.
    if (decoded === undefined || (!isLast && decoded.length % 3 !== 0)) return undefined;
    decodedEnd += decoded.copy(bytes, decodedEnd);
    heldBack = { escaped: escaped.slice(wholeEscapes), text: text.slice(wholeGroups) };
  }
  return bytes.subarray(start, decodedEnd);
}

/** Where a possibly incomplete JSON escape begins, or the end. The longest escape is `\u002B`. */
function endOfWholeEscapes(text: string): number {
  const last = text.lastIndexOf('\\');
  return last === -1 || last <= text.length - 6 ? text.length : last;
}

/** Some JSON writers escape `/` as `\/`, and `+` and `=` as `\u002B` and `\u003D`. */
function unescape(text: string): string | undefined {
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}
