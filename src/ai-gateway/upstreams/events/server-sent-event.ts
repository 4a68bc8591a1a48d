const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const fieldName = { data: Buffer.from('data:'), event: Buffer.from('event:') };

/** A server-sent event: its bytes, and where its fields are in them. */
export interface ServerSentEvent {
  /** All of it, with its blank line. */
  readonly bytes: Buffer;
  /** The value of `event:`. */
  readonly name: string | undefined;
  /** Where the value of `data:` starts in `bytes`; undefined without one, as in comments. */
  readonly dataStart: number | undefined;
  /** The value of `data:`. Where it has several lines, the names of the others are blank, so that JSON stays JSON. */
  readonly data: Buffer;
}

const nothing = Buffer.alloc(0);

/** Reads the fields of an event (WHATWG HTML §9.2.6). */
export function readEvent(bytes: Buffer): ServerSentEvent {
  let name: string | undefined;
  let dataStart: number | undefined;
  let dataEnd = 0;
  let source = bytes;
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(lineFeed, start);
    const next = found === -1 ? bytes.length : found + 1;
    const end = endOfLine(bytes, start, found);
    if (startsWith(bytes, start, fieldName.data)) {
      if (dataStart === undefined) dataStart = valueStart(bytes, start, fieldName.data);
      else {
        if (source === bytes) source = Buffer.from(bytes);
        source.fill(space, start, start + fieldName.data.length);
      }
      dataEnd = end;
    } else if (startsWith(bytes, start, fieldName.event)) {
      name = bytes.toString('latin1', valueStart(bytes, start, fieldName.event), end);
      if (dataStart !== undefined) {
        if (source === bytes) source = Buffer.from(bytes);
        source.fill(space, start, end);
      }
    }
    start = next;
  }
  const data = dataStart === undefined ? nothing : source.subarray(dataStart, dataEnd);
  return { bytes, name, dataStart, data };
}

function endOfLine(bytes: Buffer, start: number, lineEnd: number): number {
  const end = lineEnd === -1 ? bytes.length : lineEnd;
  return end > start && bytes[end - 1] === carriageReturn ? end - 1 : end;
}

/** A space after the colon isn't part of the value. */
function valueStart(bytes: Buffer, start: number, name: Buffer): number {
  const at = start + name.length;
  return bytes[at] === space ? at + 1 : at;
}

function startsWith(bytes: Buffer, start: number, name: Buffer): boolean {
  if (bytes.length < start + name.length || bytes[start] !== name[0]) return false;
  return bytes.compare(name, 0, name.length, start, start + name.length) === 0;
}
