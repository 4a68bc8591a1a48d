import { isUtf8 } from 'node:buffer';
import { JsonScanError, TokenReader } from './token-reader.js';

type Expected = 'document' | 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma or end' | 'nothing';

const maxDepth = 1000;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const comma = 0x2c;
const space = 0x20;
const quote = 0x22;
const colon = 0x3a;

/**
 * Reads a JSON object chunk by chunk and reports its parts as they pass. Outside of strings it accepts exactly what
 * `JSON.parse` accepts; subclasses check the content of strings.
 */
export abstract class JsonReader {
  /** Where the current chunk starts in the text, in bytes. */
  protected offset = 0;
  private readonly token = new TokenReader();
  private expected: Expected = 'document';
  /** Whether each open container is an object; the outermost first. */
  private readonly areObjects: boolean[] = [];

  /** Whether the object was read to its end. Only spaces may follow. */
  get isComplete(): boolean {
    return this.expected === 'nothing';
  }

  /** Number of open containers. */
  protected get depth(): number {
    return this.areObjects.length;
  }

  /** Whether the innermost container is an object. */
  protected get isInObject(): boolean {
    return this.areObjects.at(-1) ?? false;
  }

  /** Whether a key may come next. */
  protected get takesKey(): boolean {
    return this.expected === 'key' || this.expected === 'key or end';
  }

  /** @throws JsonScanError */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.token.isOpen) at = this.readMarks(chunk, at);
      if (this.token.isOpen) at = this.readToken(chunk, at);
    }
    this.offset += chunk.length;
  }

  /** @throws JsonScanError if the object isn't complete */
  protected endObject(): void {
    if (this.expected === 'document') throw new JsonScanError('is not a JSON object');
    if (!this.isComplete) throw new JsonScanError('is not valid JSON: it is cut off');
  }

  /** An object or array starts at this position. It isn't counted in `depth` yet. */
  protected abstract onContainer(firstByte: number, position: number): void;

  /** An object or array ended before this position. It isn't counted in `depth` any more. */
  protected onContainerEnd?(position: number): void;

  /** A key, or a value that is neither object nor array, starts at this position. */
  protected abstract onToken(firstByte: number, position: number): void;

  /**
   * Bytes of the current token, including quotes. Consecutive numbers of an array are one token.
   *
   * @param isComplete whether the token ends at `end`
   */
  protected abstract onTokenBytes(chunk: Buffer, start: number, end: number, isComplete: boolean): void;

  /** Reads braces, brackets, commas and colons up to the next token. */
  private readMarks(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte <= space && isSpace(byte)) continue;
      if (this.startToken(byte, this.offset + at)) return at;
      if (this.takesValue && (byte === openObject || byte === openArray)) this.onContainer(byte, this.offset + at);
      this.takeMark(byte);
      if (byte === closeObject || byte === closeArray) this.onContainerEnd?.(this.offset + at + 1);
    }
    return chunk.length;
  }

  private startToken(byte: number, position: number): boolean {
    if (this.takesKey ? byte !== quote : !this.takesValue) return false;
    if (!this.token.begin(byte, !this.isInObject)) return false;
    this.onToken(byte, position);
    return true;
  }

  private readToken(chunk: Buffer, start: number): number {
    const at = this.token.read(chunk, start);
    this.onTokenBytes(chunk, start, at, !this.token.isOpen);
    if (this.token.isOpen) return at;
    this.expected = this.takesKey ? 'colon' : 'comma or end';
    if (this.token.endedInComma) this.takeMark(comma);
    return at;
  }

  private takeMark(byte: number): void {
    if (byte === comma && this.expected === 'comma or end') this.expected = this.isInObject ? 'key' : 'value';
    else if (byte === colon && this.expected === 'colon') this.expected = 'value';
    else if (byte === openObject && (this.expected === 'document' || this.takesValue)) this.open(true);
    else if (byte === openArray && this.takesValue) this.open(false);
    else if (byte === closeObject && this.mayClose('key or end', true)) this.close();
    else if (byte === closeArray && this.mayClose('value or end', false)) this.close();
    else throw new JsonScanError(this.expected === 'document' ? 'is not a JSON object' : 'is not valid JSON');
  }

  private get takesValue(): boolean {
    return this.expected === 'value' || this.expected === 'value or end';
  }

  private mayClose(whenEmpty: Expected, isObject: boolean): boolean {
    return this.expected === whenEmpty || (this.expected === 'comma or end' && this.isInObject === isObject);
  }

  private open(isObject: boolean): void {
    if (this.areObjects.length === maxDepth) throw new JsonScanError('is nested too deeply');
    this.areObjects.push(isObject);
    this.expected = isObject ? 'key or end' : 'value or end';
  }

  private close(): void {
    this.areObjects.pop();
    this.expected = this.areObjects.length === 0 ? 'nothing' : 'comma or end';
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** A field that was searched for. */
export interface JsonField {
  /** As written, such as `model` or `usage.prompt_tokens`. */
  readonly path: string;
  /** Undefined for an object or array. */
  readonly value: unknown;
  /** Byte positions of the value in the text. For an object or array, both are its start. */
  readonly start: number;
  readonly end: number;
}

const maxKeptBytes = 16 * 1024;
/** A string without escapes, in ASCII. */
const plainString = /^"[ !#-[\]-~]*"$/;

/** Finds some fields of a JSON object as it passes. Decodes nothing but these, and skips the content of other strings. */
export class JsonScanner extends JsonReader {
  /** The key before the current position, at each of the outermost levels. */
  private readonly keys: string[] = [];
  /** Keys are kept at the outermost levels only, as deep as the wanted paths. */
  private readonly keptLevels: number;
  /** Where the token that is being kept starts. */
  private keptStart: number | undefined;
  private kept: Buffer[] = [];
  private keptBytes = 0;
  /** Where the value that is being measured starts. */
  private measuredStart: number | undefined;
  private measuredLength = 0;

  /**
   * @param wanted paths of one to three keys, in lower case; matched case-insensitively, because some parsers ignore case
   * @param report called with every field whose path is wanted, in order, duplicates included
   * @param measured a key whose value's length is measured, in lower case
   */
  constructor(
    private readonly wanted: ReadonlySet<string>,
    private readonly report: (field: JsonField) => void,
    private readonly measured?: string,
  ) {
    super();
    this.keptLevels = levelsOf(wanted);
  }

  /** Length of the measured value in bytes, as far as it was read. */
  get measuredBytes(): number {
    return this.measuredLength + (this.measuredStart === undefined ? 0 : this.offset - this.measuredStart);
  }

  /** Bytes before this position belong to no field that is still being read. */
  get settledBytes(): number {
    return this.keptStart ?? this.offset;
  }

  /** @throws JsonScanError if the object isn't complete */
  end(): void {
    this.endObject();
  }

  protected override onToken(_firstByte: number, position: number): void {
    if (this.takesKey ? this.depth <= this.keptLevels : this.isWanted()) this.keptStart = position;
    if (!this.takesKey && this.isMeasured()) this.measuredStart = position;
  }

  protected override onTokenBytes(chunk: Buffer, start: number, end: number, isComplete: boolean): void {
    if (isComplete && this.depth === 1) this.endMeasured(this.offset + end);
    if (this.keptStart === undefined) return;
    const piece = chunk.subarray(start, end);
    this.keptBytes += piece.length;
    if (this.keptBytes > maxKeptBytes) throw new JsonScanError('has a key or a name that is too long');
    this.kept.push(piece);
    if (isComplete) this.finishKept(this.keptStart, this.offset + end);
  }

  protected override onContainer(_firstByte: number, position: number): void {
    if (this.isMeasured()) this.measuredStart = position;
    if (!this.isWanted()) return;
    this.report({ path: this.path() ?? '', value: undefined, start: position, end: position });
  }

  protected override onContainerEnd(position: number): void {
    if (this.depth === 1) this.endMeasured(position);
  }

  private isMeasured(): boolean {
    return this.measured !== undefined && this.depth === 1 && this.keys[0]?.toLowerCase() === this.measured;
  }

  private endMeasured(position: number): void {
    if (this.measuredStart === undefined) return;
    this.measuredLength += position - this.measuredStart;
    this.measuredStart = undefined;
  }

  private finishKept(start: number, end: number): void {
    const value = decode(this.kept.length === 1 && this.kept[0] ? this.kept[0] : Buffer.concat(this.kept));
    this.kept = [];
    this.keptBytes = 0;
    this.keptStart = undefined;
    if (this.takesKey) this.keys[this.depth - 1] = String(value);
    else this.report({ path: this.path() ?? '', value, start, end });
  }

  private isWanted(): boolean {
    const path = this.path();
    return path !== undefined && this.wanted.has(path.toLowerCase());
  }

  /** The path of the next value if it's a field at one of the outermost levels. */
  private path(): string | undefined {
    if (this.depth > this.keptLevels || !this.isInObject) return undefined;
    switch (this.depth) {
      case 1:
        return this.keys[0];
      case 2:
        return `${this.keys[0]}.${this.keys[1]}`;
      default:
        return `${this.keys[0]}.${this.keys[1]}.${this.keys[2]}`;
    }
  }
}

/** By set of paths: scanners are created for each request. */
const knownLevels = new WeakMap<ReadonlySet<string>, number>();

function levelsOf(wanted: ReadonlySet<string>): number {
  const known = knownLevels.get(wanted);
  if (known !== undefined) return known;
  const levels = Math.max(...Array.from(wanted, (path) => path.split('.').length));
  knownLevels.set(wanted, levels);
  return levels;
}

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
