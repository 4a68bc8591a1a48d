import { isUtf8 } from 'node:buffer';
import { JsonScanError } from './token-reader.js';
import { JsonReader } from './json-reader.js';

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

/**
 * Finds some fields of a JSON object as it passes. Builds nothing but the values looked for, and skips the content of
 * other strings unseen.
 */
export class JsonScanner extends JsonReader {
  /** The key before the current position, at each of the outermost levels. */
  private readonly keys: string[] = [];
  /** Where the token that is being kept starts; undefined when none is. */
  private keptStart: number | undefined;
  private kept: Buffer[] = [];
  private keptBytes = 0;

  /**
   * @param wanted paths of one key or two, in lower case: some readers ignore case, so this one does
   * @param report called with every field whose path is wanted, in order, repeats included
   */
  constructor(
    private readonly wanted: ReadonlySet<string>,
    private readonly report: (field: JsonField) => void,
  ) {
    super();
  }

  /** Bytes before this position belong to no field that is still being read. */
  get settledBytes(): number {
    return this.keptStart ?? this.offset;
  }

  /** @throws JsonScanError when the object is not complete */
  end(): void {
    this.endObject();
  }

  protected override onToken(_firstByte: number, position: number): void {
    const { takesKey, depth } = this.structure;
    if (takesKey ? depth <= keptLevels : this.isWanted()) this.keptStart = position;
  }

  protected override onTokenBytes(chunk: Buffer, start: number, end: number, isComplete: boolean): void {
    if (this.keptStart === undefined) return;
    this.keep(chunk.subarray(start, end));
    if (isComplete) this.finishKept(this.keptStart, this.offset + end);
  }

  protected override onContainer(_firstByte: number, position: number): void {
    if (!this.isWanted()) return;
    this.report({ path: this.path() ?? '', value: undefined, start: position, end: position });
  }

  private finishKept(start: number, end: number): void {
    const value = decode(this.kept.length === 1 && this.kept[0] ? this.kept[0] : Buffer.concat(this.kept));
    this.kept = [];
    this.keptBytes = 0;
    this.keptStart = undefined;
    if (this.structure.takesKey) this.keys[this.structure.depth - 1] = String(value);
    else this.report({ path: this.path() ?? '', value, start, end });
  }

  private keep(piece: Buffer): void {
    this.keptBytes += piece.length;
    if (this.keptBytes > largestKeptBytes) throw new JsonScanError('has a key or a name that is too long');
    this.kept.push(piece);
  }

  private isWanted(): boolean {
    const path = this.path();
    return path !== undefined && this.wanted.has(path.toLowerCase());
  }

  /** The path of the next value, when it is a field of one of the outermost levels. */
  private path(): string | undefined {
    const { depth, isInObject } = this.structure;
    if (depth > keptLevels || !isInObject) return undefined;
    return depth === 1 ? this.keys[0] : `${this.keys[0]}.${this.keys[1]}`;
  }
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
