import type { Readable, Writable } from 'node:stream';

/** A message between the service and a worker: JSON, and bytes that would be slow as JSON. */
export interface Frame {
  readonly head: unknown;
  readonly body: Buffer;
}

/** Largest lengths that are accepted; they are checked before any memory is allocated. */
export interface FrameLimits {
  readonly headBytes: number;
  readonly bodyBytes: number;
}

const lengthBytes = 4;
const lengthsBytes = 2 * lengthBytes;
const noBody = Buffer.alloc(0);

/** Writes a frame: the lengths of head and body, then both. */
export function writeFrame(stream: Writable, head: object, body: Buffer = noBody): void {
  const json = Buffer.from(JSON.stringify(head));
  const start = Buffer.allocUnsafe(lengthsBytes + json.length);
  start.writeUInt32LE(json.length, 0);
  start.writeUInt32LE(body.length, lengthBytes);
  json.copy(start, lengthsBytes);
  stream.write(start);
  if (body.length > 0) stream.write(body);
}

/**
 * Reads frames until the stream ends.
 *
 * @param onInvalid called once, for a frame that is too long or whose head is not JSON; nothing is read after it
 */
export function readFrames(
  stream: Readable,
  limits: FrameLimits,
  onFrame: (frame: Frame) => void,
  onInvalid: (error: Error) => void,
): void {
  const parser = new FrameParser(limits);
  const read = (chunk: Buffer) => {
    try {
      for (const frame of parser.push(chunk)) onFrame(frame);
    } catch (error) {
      stream.off('data', read).resume();
      onInvalid(error instanceof Error ? error : new Error(String(error)));
    }
  };
  stream.on('data', read);
}

/** Collects each part of a frame in memory of its announced length. */
class FrameParser {
  private target = Buffer.alloc(lengthsBytes);
  private filled = 0;
  /** Undefined while the lengths are being read. */
  private headLength: number | undefined;

  constructor(private readonly limits: FrameLimits) {}

  *push(chunk: Buffer): Generator<Frame> {
    let offset = 0;
    while (offset < chunk.length) {
      const copied = chunk.copy(this.target, this.filled, offset);
      offset += copied;
      this.filled += copied;
      if (this.filled < this.target.length) return;
      const { target, headLength } = this;
      this.filled = 0;
      if (headLength === undefined) this.expectContent(target);
      else {
        this.headLength = undefined;
        this.target = Buffer.alloc(lengthsBytes);
        const head = JSON.parse(target.toString('utf8', 0, headLength)) as unknown;
        yield { head, body: target.subarray(headLength) };
      }
    }
  }

  private expectContent(lengths: Buffer): void {
    const headLength = lengths.readUInt32LE(0);
    const bodyLength = lengths.readUInt32LE(lengthBytes);
    const { headBytes, bodyBytes } = this.limits;
    if (headLength === 0 || headLength > headBytes || bodyLength > bodyBytes) {
      throw new Error(`A message of ${headLength} and ${bodyLength} bytes is not allowed.`);
    }
    this.headLength = headLength;
    this.target = Buffer.allocUnsafeSlow(headLength + bodyLength);
  }
}
