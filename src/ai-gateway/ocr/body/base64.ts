import { nextTurn } from '../../../common/event-loop-turn.js';

/** Takes about a millisecond to decode. */
const defaultBytesPerTurn = 256 * 1024;

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
  bytesPerTurn = defaultBytesPerTurn,
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
