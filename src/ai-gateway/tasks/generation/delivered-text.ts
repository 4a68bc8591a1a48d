const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const space = 0x20;

/** Keys whose values aren't generated text. */
const otherKeys = new Set(['type', 'role', 'id', 'object']);

/**
 * Counts the bytes of generated text in an event, which are at least as many as its tokens. Reads only the values of one
 * key: parsing whole events would cost more than forwarding them.
 *
 * @param data JSON
 * @param key with its quotes
 */
export function countText(data: Buffer, key: Buffer): number {
  let bytes = 0;
  for (let at = data.indexOf(key); at !== -1;) {
    const reader = new ValueReader(data, at + key.length);
    bytes += reader.countText();
    at = data.indexOf(key, reader.at);
  }
  return bytes;
}

/** Reads one value. */
class ValueReader {
  private depth = 0;
  private lastKey = '';

  /** @param at after the key */
  constructor(
    private readonly data: Buffer,
    public at: number,
  ) {}

  countText(): number {
    const { data } = this;
    let bytes = 0;
    let isValue = false;
    for (; this.at < data.length; this.at++) {
      const byte = data[this.at] ?? 0;
      if (byte <= space) continue;
      if (byte === quote) {
        const start = this.at + 1;
        this.at = endOfString(data, start);
        if (this.depth === 0) return this.at - start;
        if (!isValue) this.lastKey = data.toString('latin1', start, this.at);
        else if (!otherKeys.has(this.lastKey)) bytes += this.at - start;
        isValue = false;
      } else if (byte === colon) isValue = true;
      else if (isOpening(byte)) {
        this.depth += 1;
        // A string in an array is a value.
        isValue = byte === openArray;
      } else if (isClosing(byte)) {
        this.depth -= 1;
        if (this.depth <= 0) return bytes;
        isValue = false;
      } else if (this.depth === 0) return bytes;
    }
    return bytes;
  }
}

const openArray = 0x5b;
const isOpening = (byte: number) => byte === openArray || byte === 0x7b;
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/** Where the closing quote is; the end of the data if it's missing. */
function endOfString(data: Buffer, start: number): number {
  for (let at = start; at < data.length; at++) {
    if (data[at] === backslash) at += 1;
    else if (data[at] === quote) return at;
  }
  return data.length;
}
