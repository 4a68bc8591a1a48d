import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { afterPendingInput } from '../deadline.js';
import { AppError } from '../errors/app-error.js';
import { TurnBudget } from '../event-loop-turn.js';
import { ByteCollector, type MemoryShare } from './body-memory.js';
import { sendContinue } from './expect-continue.js';

export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the body may make no progress while it is being waited for. */
  readonly idleMilliseconds: number;
}

/** Why a body can't be read. */
export interface BodyErrors {
  readonly tooLarge: (limits: BodyLimits) => AppError;
  readonly stalled: (limits: BodyLimits) => AppError;
  readonly cutOff: (cause: unknown) => AppError;
}

const requestErrors: BodyErrors = {
  tooLarge: ({ maxBytes }) =>
    new AppError('payload-too-large', `The body must be at most ${inWords(maxBytes)} on this route.`),
  stalled: ({ idleMilliseconds }) =>
    new AppError('request-timeout', `The body stopped arriving: no data for ${idleMilliseconds / 1000} seconds.`),
  cutOff: (cause) => new AppError('malformed-request', 'The body was cut off.', { cause }),
};

/**
 * A reader for the body of a request.
 *
 * @throws AppError 413 if a larger body than allowed is announced, 415 if it's compressed
 */
export function openBody(headers: IncomingHttpHeaders, body: IncomingMessage, limits: BodyLimits): BodyReader {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^\s*(identity)?\s*$/i.test(encoding)) {
    const detail = 'The body must not be compressed: send it without Content-Encoding.';
    throw new AppError('unsupported-media-type', detail, { headers: { 'accept-encoding': 'identity' } });
  }
  if (Number(headers['content-length']) > limits.maxBytes) throw requestErrors.tooLarge(limits);
  return new BodyReader(body, limits);
}

const readers = new WeakMap<Readable, BodyReader>();
/** Failures of bodies without a reader, for example because the API key is still being verified. */
const failures = new WeakMap<Readable, AppError>();

/**
 * Reads a body chunk by chunk: no faster than the chunks are asked for, and with a turn of the event loop between large
 * ones, so that a body of any size can be processed as it arrives. Costs less than the stream's iterator, and leaves
 * the connection open if the body is rejected, because the response is sent through it.
 */
export class BodyReader {
  private readonly chunks: Buffer[] = [];
  private receivedBytes = 0;
  private readonly turns = new TurnBudget();
  private hasEnded = false;
  private failure: AppError | undefined;
  private wake: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly body: Readable,
    private readonly limits: BodyLimits,
    private readonly errors: BodyErrors = requestErrors,
  ) {
    const complete = failures.has(body) ? undefined : takeComplete(body);
    if (complete !== undefined) {
      this.hasEnded = true;
      if (complete.length > limits.maxBytes) this.failure = errors.tooLarge(limits);
      else this.chunks.push(complete);
      return;
    }
    readers.set(body, this);
    body.on('data', (chunk: Buffer) => this.take(chunk));
    body.once('end', () => this.finish(undefined));
    body.once('close', () => this.breakOff(undefined));
    body.on('error', (error) => this.breakOff(error));
    const failure = failures.get(body);
    if (failure !== undefined) this.fail(failure);
    if (body.destroyed) this.breakOff(undefined);
  }

  /** Makes the reader of a body fail, unless the body is already complete. Applies to a later reader as well. */
  static fail(body: Readable, error: AppError): void {
    const reader = readers.get(body);
    if (reader === undefined) failures.set(body, error);
    else reader.fail(error);
  }

  /**
   * The next chunk, of bounded length; undefined after the last.
   *
   * @throws AppError if the body is too large, stops arriving or is cut off: for requests 413, 408 or 400
   */
  async next(): Promise<Buffer | undefined> {
    for (;;) {
      const chunk = this.takeChunk();
      if (chunk !== undefined) {
        const turn = this.turns.spend(chunk.length);
        if (turn !== undefined) await turn;
        return chunk;
      }
      if (this.failure !== undefined) throw this.failure;
      if (this.hasEnded) return undefined;
      if (this.body.isPaused()) this.body.resume();
      await this.receive();
    }
  }

  /**
   * The whole body.
   *
   * @param announcedBytes allocated in one piece; ignored if it isn't a valid size
   * @throws AppError as `next`, and 503 if there is no memory for the body
   */
  async readAll(memory: MemoryShare, announcedBytes?: number): Promise<Buffer> {
    const collected = new ByteCollector(memory);
    collected.reserve(announcedBytes);
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) collected.add(chunk);
    return collected.bytes;
  }

  private takeChunk(): Buffer | undefined {
    const { bytesPerTurn } = this.turns;
    const chunk = this.chunks.shift();
    if (chunk === undefined || chunk.length <= bytesPerTurn) return chunk;
    this.chunks.unshift(chunk.subarray(bytesPerTurn));
    return chunk.subarray(0, bytesPerTurn);
  }

  private fail(error: AppError): void {
    if (this.hasEnded) return;
    this.chunks.length = 0;
    this.finish(error);
  }

  private receive(): Promise<void> {
    if (this.timer === undefined) {
      sendContinue(this.body);
      this.timer = setTimeout(() => this.checkProgress(), this.limits.idleMilliseconds);
    } else {
      this.timer.refresh();
    }
    return new Promise((resolve) => (this.wake = resolve));
  }

  /** Time in which the body isn't asked for doesn't count: the sender can't send then. */
  private checkProgress(): void {
    const { wake } = this;
    if (wake === undefined) return;
    // A chunk that arrived while this process was stalled counts.
    afterPendingInput(() => {
      if (this.wake === wake) this.fail(this.errors.stalled(this.limits));
    });
  }

  private take(chunk: Buffer): void {
    if (this.hasEnded) return;
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > this.limits.maxBytes) {
      this.body.pause();
      this.finish(this.errors.tooLarge(this.limits));
      return;
    }
    this.chunks.push(chunk);
    if (this.wake === undefined) this.body.pause();
    else this.wakeUp();
  }

  private breakOff(cause: unknown): void {
    // Every body closes in the end. Creating an error for each one would cost as much as reading it.
    if (!this.hasEnded) this.finish(this.errors.cutOff(cause));
  }

  private finish(failure: AppError | undefined): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.failure = failure;
    clearTimeout(this.timer);
    this.wakeUp();
  }

  private wakeUp(): void {
    const { wake } = this;
    this.wake = undefined;
    wake?.();
  }
}

/** The body if all of it has arrived, as small ones usually have: reading it in one piece needs no listeners. */
function takeComplete(body: Readable): Buffer | undefined {
  if (!(body instanceof IncomingMessage) || !body.complete || body.readableFlowing !== null) return undefined;
  return (body.read() as Buffer | null) ?? undefined;
}

function inWords(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes >= megabyte ? `${Math.floor(bytes / megabyte)} MB` : `${Math.floor(bytes / 1024)} KB`;
}
