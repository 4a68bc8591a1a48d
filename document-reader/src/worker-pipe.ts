import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import {
  encodeResponse,
  type RecognizedMessage,
  type RecognizeMessage,
  requestDescriptor,
  requestLimits,
  responseDescriptor,
  type WorkerRequest,
  type WorkerResponse,
} from './worker-messages.js';

/** A message between the parent and a worker. The body holds bytes that would be slow as JSON. */
export interface Frame {
  readonly head: unknown;
  readonly body: Buffer;
}

/** Maximum lengths, checked before memory is allocated. */
export interface FrameLimits {
  readonly headBytes: number;
  readonly bodyBytes: number;
}

const lengthBytes = 4;
const headerBytes = 2 * lengthBytes;
const emptyBody = Buffer.alloc(0);

/** Writes a frame: the lengths of head and body, the head as JSON, and the body. */
export function writeFrame(stream: Writable, head: object, body: Buffer = emptyBody): void {
  const json = Buffer.from(JSON.stringify(head));
  const start = Buffer.allocUnsafe(headerBytes + json.length);
  start.writeUInt32LE(json.length, 0);
  start.writeUInt32LE(body.length, lengthBytes);
  json.copy(start, headerBytes);
  stream.write(start);
  if (body.length > 0) stream.write(body);
}

/**
 * Reads frames until the stream ends.
 *
 * @param onInvalid called for a frame that is too long or whose head isn't JSON; nothing is read after it
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

class FrameParser {
  /** The header or the content that is being received. */
  private target = Buffer.alloc(headerBytes);
  private filledBytes = 0;
  /** Undefined while the header is being received. */
  private headLength: number | undefined;

  constructor(private readonly limits: FrameLimits) {}

  *push(chunk: Buffer): Generator<Frame> {
    let offset = 0;
    while (offset < chunk.length) {
      const copiedBytes = chunk.copy(this.target, this.filledBytes, offset);
      offset += copiedBytes;
      this.filledBytes += copiedBytes;
      if (this.filledBytes < this.target.length) return;
      const { target, headLength } = this;
      this.filledBytes = 0;
      if (headLength === undefined) this.expectContent(target);
      else {
        this.headLength = undefined;
        this.target = Buffer.alloc(headerBytes);
        const head = JSON.parse(target.toString('utf8', 0, headLength)) as unknown;
        yield { head, body: target.subarray(headLength) };
      }
    }
  }

  private expectContent(header: Buffer): void {
    const headLength = header.readUInt32LE(0);
    const bodyLength = header.readUInt32LE(lengthBytes);
    const { headBytes, bodyBytes } = this.limits;
    if (headLength === 0 || headLength > headBytes || bodyLength > bodyBytes) {
      throw new Error(`A message with lengths ${headLength} and ${bodyLength} is not allowed.`);
    }
    this.headLength = headLength;
    this.target = Buffer.allocUnsafeSlow(headLength + bodyLength);
  }
}

/**
 * Runs the worker's end of the pipes: reports that the worker has started, then passes requests to `handle` until the
 * parent closes them.
 *
 * @param handle receives the document with an `open` request; no response is sent for undefined
 * @returns a function that has the parent recognize an image, while a request is being handled
 */
export function serveRequests(
  handle: (request: WorkerRequest, document: Buffer) => Promise<WorkerResponse | undefined>,
): (message: RecognizeMessage) => Promise<string> {
  const requests = new Socket({ fd: requestDescriptor, readable: true, writable: false });
  const responses = new Socket({ fd: responseDescriptor, readable: false, writable: true });
  const send = (response: WorkerResponse) => {
    const { head, body } = encodeResponse(response);
    writeFrame(responses, head, body);
  };
  let onRecognized: ((table: string) => void) | undefined;
  const receive = ({ head, body }: Frame) => {
    const message = head as WorkerRequest | RecognizedMessage;
    if (message.kind === 'recognized') onRecognized?.(body.toString());
    else void handle(message, body).then((response) => response && send(response));
  };
  const exit = () => process.exit();
  requests.on('end', exit).on('error', exit);
  responses.on('error', exit);
  readFrames(requests, requestLimits, receive, exit);
  send({ kind: 'started' });
  return (message) =>
    new Promise((resolve) => {
      onRecognized = resolve;
      send(message);
    });
}
