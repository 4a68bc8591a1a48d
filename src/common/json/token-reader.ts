import { JsonScanError } from './json-scan-error.js';
import { isCompleteNumber, nextNumberState, numberEnds, numberStart } from './number-grammar.js';

const quote = 0x22;
const backslash = 0x5c;
const letterT = 0x74;
const letterF = 0x66;
const letterN = 0x6e;

/** Finds the ends of strings, numbers and literals, which may be spread over any number of chunks. */
export class TokenReader {
  /** Whether a token has begun and not ended. */
  isOpen = false;
  private kind: 'string' | 'number' | 'literal' = 'string';
  /** Whether the next byte of the string belongs to an escape; undefined before the opening quote. */
  private isEscaped: boolean | undefined;
  private numberState = numberStart;
  private literal = '';
  private literalLength = 0;

  /** Begins the token that starts with this byte, which `read` has still to consume; false when none starts so. */
  begin(byte: number | undefined): boolean {
    if (byte === quote) {
      this.kind = 'string';
      this.isEscaped = undefined;
    } else if (byte === letterT) this.beginLiteral('true');
    else if (byte === letterF) this.beginLiteral('false');
    else if (byte === letterN) this.beginLiteral('null');
    else if (byte !== undefined && nextNumberState(numberStart, byte) !== numberEnds) {
      this.kind = 'number';
      this.numberState = numberStart;
    } else return false;
    this.isOpen = true;
    return true;
  }

  /**
   * Reads on to the end of the token or of the chunk.
   *
   * @returns where it stopped
   * @throws JsonScanError
   */
  read(chunk: Buffer, at: number): number {
    switch (this.kind) {
      case 'string':
        return this.readString(chunk, at);
      case 'number':
        return this.readNumber(chunk, at);
      case 'literal':
        return this.readLiteral(chunk, at);
    }
  }

  private beginLiteral(literal: string): void {
    this.kind = 'literal';
    this.literal = literal;
    this.literalLength = 0;
  }

  private readString(chunk: Buffer, start: number): number {
    const first = this.isEscaped === undefined ? start + 1 : start;
    let isFirstEscaped = this.isEscaped ?? false;
    let from = first;
    for (;;) {
      const found = chunk.indexOf(quote, from);
      const end = found === -1 ? chunk.length : found;
      const isEscaped = endsInEscape(chunk, from, end, isFirstEscaped);
      if (found === -1) {
        this.isEscaped = isEscaped;
        return end;
      }
      from = found + 1;
      if (!isEscaped) {
        this.isOpen = false;
        return from;
      }
      isFirstEscaped = false;
    }
  }

  private readNumber(chunk: Buffer, start: number): number {
    let state = this.numberState;
    for (let at = start; at < chunk.length; at++) {
      const next = nextNumberState(state, chunk[at] ?? 0);
      if (next === numberEnds) {
        if (!isCompleteNumber(state)) throw new JsonScanError('is not valid JSON');
        this.isOpen = false;
        return at;
      }
      state = next;
    }
    this.numberState = state;
    return chunk.length;
  }

  private readLiteral(chunk: Buffer, start: number): number {
    let at = start;
    while (at < chunk.length && this.literalLength < this.literal.length) {
      if (chunk[at++] !== this.literal.charCodeAt(this.literalLength++)) throw new JsonScanError('is not valid JSON');
    }
    this.isOpen = this.literalLength < this.literal.length;
    return at;
  }
}

/** Whether the byte at `end` is escaped: an odd number of backslashes comes before it. */
function endsInEscape(chunk: Buffer, start: number, end: number, isFirstEscaped: boolean): boolean {
  let at = end;
  while (at > start && chunk[at - 1] === backslash) at--;
  const isOdd = (end - at) % 2 === 1;
  // The first byte may be a backslash that is itself escaped.
  return at === start && isFirstEscaped ? !isOdd : isOdd;
}
