/** The text isn't a complete JSON object. The message continues a sentence: `is not valid JSON`. */
export class JsonScanError extends Error {
  override name = 'JsonScanError';
}

/*
 * The grammar of JSON numbers as tables: from a state and a byte to the next state. A long array of numbers costs one
 * lookup per byte.
 */

/** The byte doesn't belong to the number. */
const numberEnds = 0;
/** Before the first byte of a number. */
const numberStart = 1;
/** After a comma in a list of numbers. */
const afterComma = 2;

const minus = 3;
const zero = 4;
const point = 5;
const exponentMark = 6;
const exponentSign = 7;
const integer = 8;
const fraction = 9;
const exponent = 10;
/** In this and later states, digits don't change the state. */
const firstDigitsState = integer;
const completeStates = [zero, integer, fraction, exponent];

const digits = '0123456789';

/** A single number. The state after a byte is at `state * 256 + byte`. */
const numberTable = new Uint8Array(11 * 256);
for (const from of [numberStart, afterComma, minus]) {
  lead(numberTable, from, digits, integer);
  lead(numberTable, from, '0', zero);
}
for (const from of [numberStart, afterComma]) lead(numberTable, from, '-', minus);
lead(numberTable, integer, digits, integer);
for (const from of [zero, integer]) lead(numberTable, from, '.', point);
for (const from of [point, fraction]) lead(numberTable, from, digits, fraction);
for (const from of [zero, integer, fraction]) lead(numberTable, from, 'eE', exponentMark);
lead(numberTable, exponentMark, '+-', exponentSign);
for (const from of [exponentMark, exponentSign, exponent]) lead(numberTable, from, digits, exponent);

/** Numbers in an array, including the commas between them. */
const numberListTable = Uint8Array.from(numberTable);
for (const from of completeStates) lead(numberListTable, from, ',', afterComma);
lead(numberListTable, afterComma, ' \t\r\n', afterComma);

/** Whether a number may end in this state. */
function isCompleteNumber(state: number): boolean {
  return completeStates.includes(state);
}

function lead(table: Uint8Array, from: number, characters: string, to: number): void {
  for (const character of characters) table[from * 256 + character.charCodeAt(0)] = to;
}

const quote = 0x22;
const backslash = 0x5c;
const letterT = 0x74;
const letterF = 0x66;
const letterN = 0x6e;

/** Finds the ends of strings, numbers and literals, which may be spread over any number of chunks. */
export class TokenReader {
  /** Whether a token has begun and not ended yet. */
  isOpen = false;
  /** Whether the token ended in a comma: consecutive numbers of an array are one token. */
  endedInComma = false;
  private kind: 'string' | 'number' | 'literal' = 'string';
  /** Whether the next byte of the string belongs to an escape; undefined before the opening quote. */
  private isEscaped: boolean | undefined;
  private numberState = numberStart;
  private table = numberTable;
  private literal = '';
  private literalLength = 0;

  /** Begins the token that starts with this byte, which `read` consumes next. Returns false if no token starts like this. */
  begin(byte: number, isInArray: boolean): boolean {
    this.endedInComma = false;
    if (byte === quote) {
      this.kind = 'string';
      this.isEscaped = undefined;
    } else if (byte === letterT) this.beginLiteral('true');
    else if (byte === letterF) this.beginLiteral('false');
    else if (byte === letterN) this.beginLiteral('null');
    else if (numberTable[numberStart * 256 + byte] !== numberEnds) {
      this.kind = 'number';
      this.numberState = numberStart;
      this.table = isInArray ? numberListTable : numberTable;
    } else return false;
    this.isOpen = true;
    return true;
  }

  /**
   * Reads to the end of the token or of the chunk.
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
    const { table } = this;
    let state = this.numberState;
    let at = start;
    while (at < chunk.length) {
      const next = table[state * 256 + (chunk[at] ?? 0)] ?? numberEnds;
      if (next === numberEnds) {
        this.endedInComma = state === afterComma;
        if (!this.endedInComma && !isCompleteNumber(state)) throw new JsonScanError('is not valid JSON');
        this.isOpen = false;
        return at;
      }
      state = next;
      at += 1;
      // Most bytes are digits: skipping them costs less than looking up each.
      if (state >= firstDigitsState) at = skipDigits(chunk, at);
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

function skipDigits(chunk: Buffer, start: number): number {
  let at = start;
  while (at < chunk.length && isDigit(chunk[at] ?? 0)) at++;
  return at;
}

/** Whether the byte at `end` is escaped: an odd number of backslashes comes before it. */
function endsInEscape(chunk: Buffer, start: number, end: number, isFirstEscaped: boolean): boolean {
  let at = end;
  while (at > start && chunk[at - 1] === backslash) at--;
  const isOdd = (end - at) % 2 === 1;
  // The first byte may be a backslash that is itself escaped.
  return at === start && isFirstEscaped ? !isOdd : isOdd;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}
