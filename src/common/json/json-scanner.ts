import { isUtf8 } from 'node:buffer';
import { JsonScanError } from './json-scan-error.js';
import { JsonStructure } from './json-structure.js';
import { TokenReader } from './token-reader.js';

/** A value that was looked for. */
export interface JsonField {
  /** As it was written: `model`, `usage.prompt_tokens`. */
  readonly path: string;
  /** Undefined when it is an object or an array. */
  readonly value: unknown;
  /** Where the value starts and ends in the text, in bytes; only where it starts when it is an object or an array. */
  readonly start: number;
  readonly end: number;
}

/** Keys are kept at this many levels, from the outermost. */
const keptLevels = 2;
const largestKeptBytes = 16 * 1024;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;

/**
 * Reads a JSON object piece by piece, as it passes, and reports some of its fields. Nothing is built but the values
 * looked for. Outside of strings it accepts exactly what `JSON.parse` accepts, so that no other reader can see other
 * fields in the same text; what is inside of strings that are not looked for is skipped unseen.
 */
export class JsonScanner {
  private readonly structure = new JsonStructure();
  private readonly token = new TokenReader();
  /** The key that comes before the present place, at each of the outermost levels. */
  private readonly keys: string[] = [];
  /** Where the pieces before this one end, in bytes. */
  private offset = 0;
  /** Where the token that is being kept starts; undefined when none is. */
  private keptStart: number | undefined;
  private kept: Buffer[] = [];
  private keptBytes = 0;

  /**
   * @param wanted paths of one key or two, in lower case: case is disregarded, as it is by some readers
   * @param report called with every field whose path is wanted, in order, repeats included
   */
  constructor(
    private readonly wanted: ReadonlySet<string>,
    private readonly report: (field: JsonField) => void,
  ) {}

  /** What comes before this place, in bytes, takes no part in a field that is still being read. */
  get settledBytes(): number {
    return this.keptStart ?? this.offset;
  }

  /** @throws JsonScanError */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.token.isOpen) at = this.readStructure(chunk, at);
      if (this.token.isOpen) at = this.readToken(chunk, at);
    }
    if (this.keptStart !== undefined) this.keep(chunk, chunk.length);
    this.offset += chunk.length;
  }

  /** @throws JsonScanError when the object is not complete */
  end(): void {
    this.structure.end();
  }

  /** Reads on to where a token begins. */
  private readStructure(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte <= space && isSpace(byte)) continue;
      if (this.beginToken(byte, this.offset + at)) return at;
      if (this.structure.takesValue && this.structure.opens(byte)) this.reportContainer(this.offset + at);
      this.structure.takeMark(byte);
    }
    return chunk.length;
  }

  private beginToken(byte: number, position: number): boolean {
    const { takesKey, takesValue, depth, isInObject } = this.structure;
    if (takesKey ? byte !== quote : !takesValue) return false;
    if (!this.token.begin(byte, !isInObject)) return false;
    if (takesKey ? depth <= keptLevels : this.isWanted()) this.keptStart = position;
    return true;
  }

  private readToken(chunk: Buffer, start: number): number {
    const at = this.token.read(chunk, start);
    if (this.token.isOpen) return at;
    if (this.keptStart !== undefined) this.finishKept(chunk, at, this.keptStart);
    this.structure.takeToken();
    if (this.token.endedInComma) this.structure.takeMark(comma);
    return at;
  }

  private finishKept(chunk: Buffer, at: number, start: number): void {
    this.keep(chunk, at);
    const value = decode(this.kept.length === 1 && this.kept[0] ? this.kept[0] : Buffer.concat(this.kept));
    this.kept = [];
    this.keptBytes = 0;
    this.keptStart = undefined;
    if (this.structure.takesKey) this.keys[this.structure.depth - 1] = String(value);
    else this.report({ path: this.path() ?? '', value, start, end: this.offset + at });
  }

  /** Keeps what this chunk has of the token, up to `end`. */
  private keep(chunk: Buffer, end: number): void {
    const piece = chunk.subarray(Math.max(0, (this.keptStart ?? 0) - this.offset), end);
    this.keptBytes += piece.length;
    if (this.keptBytes > largestKeptBytes) throw new JsonScanError('has a key or a name that is too long');
    this.kept.push(piece);
  }

  private reportContainer(position: number): void {
    if (!this.isWanted()) return;
    this.report({ path: this.path() ?? '', value: undefined, start: position, end: position });
  }

  private isWanted(): boolean {
    const path = this.path();
    return path !== undefined && this.wanted.has(path.toLowerCase());
  }

  /** The path of the value that comes next, when it is a field of one of the outermost levels. */
  private path(): string | undefined {
    const { depth, isInObject } = this.structure;
    if (depth > keptLevels || !isInObject) return undefined;
    return depth === 1 ? this.keys[0] : `${this.keys[0]}.${this.keys[1]}`;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A string without escapes, in ASCII. */
const plainString = /^"[ !#-[\]-~]*"$/;

function decode(bytes: Buffer): unknown {
  const text = bytes.toString('latin1');
  if (plainString.test(text)) return text.slice(1, -1);
  if (!isUtf8(bytes)) throw new JsonScanError('is not valid UTF-8');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new JsonScanError('is not valid JSON', { cause: error });
  }
}
