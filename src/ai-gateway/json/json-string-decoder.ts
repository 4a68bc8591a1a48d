import { StringDecoder } from 'node:string_decoder';
import { JsonScanError } from './token-reader.js';

const backslash = '\\';
const maxEscapeLength = '\\u0061'.length;

/** Decodes the content of a JSON string that arrives in pieces. A piece costs no more than its own bytes. */
export class JsonStringDecoder {
  private readonly decoder = new StringDecoder('utf8');
  private readonly parts: string[] = [];
  /** An incomplete escape. */
  private heldBack = '';

  /**
   * @param bytes the next piece between the quotes
   * @throws JsonScanError
   */
  push(bytes: Buffer): void {
    const text = this.heldBack + this.decoder.write(bytes);
    const end = endOfWholeEscapes(text);
    this.heldBack = text.slice(end);
    this.parts.push(unescape(text.slice(0, end)));
  }

  /**
   * The whole string.
   *
   * @throws JsonScanError
   */
  end(): string {
    const rest = this.heldBack + this.decoder.end();
    if (rest !== '') this.parts.push(unescape(rest));
    return this.parts.length === 1 ? (this.parts[0] ?? '') : this.parts.join('');
  }
}

function unescape(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch (error) {
    throw new JsonScanError('is not valid JSON', { cause: error });
  }
}

/** Where a possibly incomplete escape starts, or the end of the text. */
function endOfWholeEscapes(text: string): number {
  const last = text.lastIndexOf(backslash);
  if (last === -1 || text.length - last >= maxEscapeLength) return text.length;
  let first = last;
  while (text[first - 1] === backslash) first -= 1;
  const isEscaped = (last - first) % 2 === 1;
  const isWhole = isEscaped || (last + 1 < text.length && text[last + 1] !== 'u');
  return isWhole ? text.length : last;
}
