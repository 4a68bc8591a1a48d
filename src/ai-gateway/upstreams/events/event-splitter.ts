const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** An event is larger than any should be. */
export class EventTooLargeError extends Error {
  override name = 'EventTooLargeError';
}

/**
 * Splits a stream of server-sent events where a blank line ends one (WHATWG HTML §9.2). Lines end in LF or CRLF. Looks at
 * each byte once, however an event is spread over chunks.
 */
export class EventSplitter {
  private readonly waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** Whether the current line has only a carriage return, or nothing. */
  private isLineBlank = true;

  /** @param maxBytes of an event */
  constructor(private readonly maxBytes: number) {}

  /**
   * The complete events up to the end of a chunk, each with its blank line.
   *
   * @throws EventTooLargeError
   */
  push(chunk: Buffer): Buffer[] {
    const events: Buffer[] = [];
    let eventStart = 0;
    let lineStart = 0;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, lineStart)) {
      const hasContent = at > lineStart + 1 || (at === lineStart + 1 && chunk[lineStart] !== carriageReturn);
      if (this.isLineBlank && !hasContent) {
        events.push(this.join(chunk.subarray(eventStart, at + 1)));
        eventStart = at + 1;
      }
      this.isLineBlank = true;
      lineStart = at + 1;
    }
    const isCarriageReturn = chunk.length === lineStart + 1 && chunk[lineStart] === carriageReturn;
    if (chunk.length > lineStart && !isCarriageReturn) this.isLineBlank = false;
    if (eventStart < chunk.length) this.keep(chunk.subarray(eventStart));
    return events;
  }

  /** What follows the last complete event. */
  end(): Buffer {
    return this.join(Buffer.alloc(0));
  }

  private keep(part: Buffer): void {
    this.waitingBytes += part.length;
    if (this.waitingBytes > this.maxBytes) throw new EventTooLargeError(`An event exceeds ${this.maxBytes} bytes.`);
    this.waiting.push(part);
  }

  private join(last: Buffer): Buffer {
    if (this.waiting.length === 0) return last;
    const event = Buffer.concat([...this.waiting, last]);
    this.waiting.length = 0;
    this.waitingBytes = 0;
    return event;
  }
}
