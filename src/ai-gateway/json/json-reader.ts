import { JsonStructure } from './json-structure.js';
import { TokenReader } from './token-reader.js';

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;

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
