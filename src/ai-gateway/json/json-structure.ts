import { JsonScanError } from './json-scan-error.js';

type Expected = 'document' | 'key' | 'key or end' | 'colon' | 'value' | 'value or end' | 'comma or end' | 'nothing';

const largestDepth = 1000;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** Which marks, keys and values may come next in a text that is one JSON object. */
export class JsonStructure {
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
