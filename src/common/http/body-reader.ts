import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { TurnBudget } from '../event-loop-turn.js';
import { AppError } from '../errors/app-error.js';
import { sendContinue } from './expect-continue.js';

export interface BodyLimits {
  /** A larger body is rejected with 413. */
  readonly limitBytes: number;
  /** How long the body may make no progress while it is being waited for; then it is rejected with 408. */
  readonly idleMilliseconds: number;
}

const readers = new WeakMap<Readable, BodyReader>();
/** Failures of bodies that nothing reads yet, for example because the key is still being verified. */
const failures = new WeakMap<Readable, AppError>();

/**
 * Reads a body chunk by chunk, no faster than they are asked for and with a turn of the event loop between large ones,
 * so that a body of any size can be processed as it arrives. Costs less than the stream's own iterator, and keeps the
 * connection open when the body is rejected, because the response is sent through it.
 */
export class BodyReader {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private readonly turns = new TurnBudget();
  private hasEnded = false;
  private failure: AppError | undefined;
  private wake: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly body: Readable,
    private readonly limits: BodyLimits,
  ) {
    const complete = failures.has(body) ? undefined : takeComplete(body);
    if (complete !== undefined) {
      this.hasEnded = true;
      if (complete.length > limits.limitBytes) this.failure = bodyTooLarge(limits.limitBytes);
      else this.chunks.push(complete);
      return;
    }
    readers.set(body, this);
    body.on('data', (chunk: Buffer) => this.take(chunk));
    body.once('end', () => this.finish(undefined));
    body.once('close', () => this.breakOff());
    body.on('error', () => this.breakOff());
    const failure = failures.get(body);
    if (failure !== undefined) this.fail(failure);
    if (body.destroyed) this.breakOff();
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
   * @throws AppError 413 when the body is larger than the limit, 408 when it stops arriving, 400 when it is cut off
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

  private takeChunk(): Buffer | undefined {
    const { bytesPerTurn } = this.turns;
    const chunk = this.chunks.shift();
    if (chunk === undefined || chunk.length <= bytesPerTurn) return chunk;
    this.chunks.unshift(chunk.subarray(bytesPerTurn));
    return chunk.subarray(0, bytesPerTurn);
  }

  /**
   * The whole body.
   *
   * @param onReceived receives the size of each chunk as it arrives; an error that it throws rejects the body
   * @throws AppError as `next`
   */
  async readAll(onReceived: (bytes: number) => void): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
      onReceived(chunk.length);
      chunks.push(chunk);
    }
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
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

  /** Time in which the body is not asked for does not count: the client cannot send then. */
  private checkProgress(): void {
    if (this.wake === undefined) return;
    const seconds = this.limits.idleMilliseconds / 1000;
    this.fail(new AppError('request-timeout', `The body stopped arriving: no data for ${seconds} seconds.`));
  }

  private take(chunk: Buffer): void {
    if (this.hasEnded) return;
    this.bytes += chunk.length;
    if (this.bytes > this.limits.limitBytes) {
      this.body.pause();
      this.finish(bodyTooLarge(this.limits.limitBytes));
      return;
    }
    this.chunks.push(chunk);
    if (this.wake === undefined) this.body.pause();
    else this.wakeUp();
  }

  private breakOff(): void {
    // Every body closes in the end. Creating an error for each one would cost as much as reading it.
    if (!this.hasEnded) this.finish(new AppError('malformed-request', 'The body was cut off.'));
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

/** A 413 that names the limit. */
export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError('payload-too-large', `The body must be at most ${inWords(limitBytes)} on this route.`);
}

function inWords(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes >= megabyte ? `${Math.floor(bytes / megabyte)} MB` : `${Math.floor(bytes / 1024)} KB`;
}
