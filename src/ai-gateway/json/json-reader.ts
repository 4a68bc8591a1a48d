import { JsonScanError, TokenReader } from './token-reader.js';

type Expected = 'document' | 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma or end' | 'nothing';

const largestDepth = 1000;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const comma = 0x2c;
const space = 0x20;
const quote = 0x22;
const colon = 0x3a;

/** Tracks which marks, keys and values are allowed next in a JSON object. */
class JsonStructure {
  private expected: Expected = 'document';
  /** Whether each open container is an object; the outermost first. */
  private readonly areObjects: boolean[] = [];

  /** How many containers are open. */
  get depth(): number {
    return this.areObjects.length;
  }

  /** Whether the container that was opened last is an object. */
  get isInObject(): boolean {
    return this.areObjects.at(-1) ?? false;
  }

  /** Whether a key may come next. */
  get takesKey(): boolean {
    return this.expected === 'key' || this.expected === 'key or end';
  }

  /** Whether a value may come next. */
  get takesValue(): boolean {
    return this.expected === 'value' || this.expected === 'value or end';
  }

  /** Whether this byte opens a container, where a value may come. */
  opens(byte: number | undefined): boolean {
    return byte === openObject || byte === openArray;
  }

  /** A key or a value that is no container has come. */
  takeToken(): void {
    this.expected = this.takesKey ? 'colon' : 'comma or end';
  }

  /**
   * A mark, such as a brace or a comma, has come.
   *
   * @throws JsonScanError when it may not come here
   */
  takeMark(byte: number | undefined): void {
    if (byte === comma && this.expected === 'comma or end') this.expected = this.isInObject ? 'key' : 'value';
    else if (byte === colon && this.expected === 'colon') this.expected = 'value';
    else if (byte === openObject && (this.expected === 'document' || this.takesValue)) this.open(true);
    else if (byte === openArray && this.takesValue) this.open(false);
    else if (byte === closeObject && this.mayClose('key or end', true)) this.close();
    else if (byte === closeArray && this.mayClose('value or end', false)) this.close();
    else throw new JsonScanError(this.expected === 'document' ? 'is not a JSON object' : 'is not valid JSON');
  }

  /** @throws JsonScanError when the object is not complete */
  end(): void {
    if (this.expected === 'document') throw new JsonScanError('is not a JSON object');
    if (this.expected !== 'nothing') throw new JsonScanError('is not valid JSON: it is cut off');
  }

  private mayClose(whenEmpty: Expected, isObject: boolean): boolean {
    return this.expected === whenEmpty || (this.expected === 'comma or end' && this.isInObject === isObject);
  }

  private open(isObject: boolean): void {
    if (this.areObjects.length === largestDepth) throw new JsonScanError('is nested too deeply');
    this.areObjects.push(isObject);
    this.expected = isObject ? 'key or end' : 'value or end';
  }

  private close(): void {
    this.areObjects.pop();
    this.expected = this.areObjects.length === 0 ? 'nothing' : 'comma or end';
  }
}

/**
 * Reads a JSON object chunk by chunk and reports its parts as they pass. Outside of strings it accepts exactly what
 * `JSON.parse` accepts; the content of strings is left to the subclass.
 */
export abstract class JsonReader {
  protected readonly structure = new JsonStructure();
  /** Where the current chunk starts in the text, in bytes. */
  protected offset = 0;
  private readonly token = new TokenReader();

  /** @throws JsonScanError */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.token.isOpen) at = this.readStructure(chunk, at);
      if (this.token.isOpen) at = this.readToken(chunk, at);
    }
    this.offset += chunk.length;
  }

  /** @throws JsonScanError when the object is not complete */
  protected endObject(): void {
    this.structure.end();
  }

  /** An object or array starts at this position; `structure` does not know it yet. */
  protected abstract onContainer(firstByte: number, position: number): void;

  /** A key, or a value that is neither object nor array, starts at this position. */
  protected abstract onToken(firstByte: number, position: number): void;

  /**
   * Bytes of the current token, quotes included. Consecutive numbers of an array are one token.
   *
   * @param isComplete whether the token ends at `end`; `structure` does not know it yet
   */
  protected abstract onTokenBytes(chunk: Buffer, start: number, end: number, isComplete: boolean): void;

  /** Reads up to where a token starts. */
  private readStructure(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte <= space && isSpace(byte)) continue;
      if (this.startToken(byte, this.offset + at)) return at;
      if (this.structure.takesValue && this.structure.opens(byte)) this.onContainer(byte, this.offset + at);
      this.structure.takeMark(byte);
    }
    return chunk.length;
  }

  private startToken(byte: number, position: number): boolean {
    const { takesKey, takesValue, isInObject } = this.structure;
    if (takesKey ? byte !== quote : !takesValue) return false;
    if (!this.token.begin(byte, !isInObject)) return false;
    this.onToken(byte, position);
    return true;
  }

  private readToken(chunk: Buffer, start: number): number {
    const at = this.token.read(chunk, start);
    this.onTokenBytes(chunk, start, at, !this.token.isOpen);
    if (this.token.isOpen) return at;
    this.structure.takeToken();
    if (this.token.endedInComma) this.structure.takeMark(comma);
    return at;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
