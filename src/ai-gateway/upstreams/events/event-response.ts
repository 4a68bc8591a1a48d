import { Readable } from 'node:stream';
import { AppError } from '../../../common/errors/app-error.js';
import { toAppError } from '../../../common/errors/to-app-error.js';
import { atEndOfTurn } from './end-of-turn.js';
import type { EventReader } from './event-reader.js';
import { EventSplitter } from './event-splitter.js';
import { watch, stopWatching } from './event-watch.js';
import { readEvent } from './server-sent-event.js';

/** Larger than any event of text; the last event of a response repeats all of it, images included. */
const maxEventBytes = 32 * 1024 * 1024;
/** What is read of a response whose client is gone. */
const maxDrainedBytes = 32 * 1024 * 1024;
/** Proxies and clients give up on silent connections, many after 30 seconds or a minute. */
const keepAliveMilliseconds = 15_000;
const keepAlive = Buffer.from(': keep-alive\n\n');
/** How long an upstream may keep the connection open after the last event. */
const tailMilliseconds = 1000;
const bufferBytes = 16 * 1024;

/** What a stream may ask of the exchange that fills it. */
export interface EventSource {
  /** Lets the upstream send no more for now: the client doesn't read as fast. */
  readonly pause: () => void;
  /** Lets the upstream send more. */
  readonly resume: () => void;
  /** The client has disconnected. */
  readonly leave: () => void;
  /** Nothing more is needed. */
  readonly cancel: () => void;
  /** The upstream is late: it has paused for too long, or its time is up. */
  readonly onLate: (seconds: number) => void;
  readonly idleSeconds: number;
  /** From `performance.now()`. Waiting for the client doesn't count. */
  readonly endsAt: number;
  readonly timeoutSeconds: number;
}

/**
 * A stream of events on its way to the client. Each passes as soon as it's complete, except the last: that waits until
 * the request was recorded. A stream that breaks off ends with an event that says so.
 */
export class EventResponse extends Readable {
  private readonly splitter = new EventSplitter(maxEventBytes);
  private source: EventSource | undefined;
  private record: (() => Promise<void>) | undefined;
  private isRecording = false;
  private isRecorded = false;
  private hasEnded = false;
  private hasUpstreamEnded = false;
  private isBlocked = false;
  private isDrained = false;
  private wasLate = false;
  private failure: AppError | undefined;
  /** Events that are sent at the end of this turn of the event loop. */
  private readonly ready: Buffer[] = [];
  /** The last event, and what follows it. */
  private readonly tail: Buffer[] = [];
  private tailSince = 0;
  private receivedAt = 0;
  private sentAt = 0;
  private endsAt = Infinity;
  private receivedBytes = 0;

  constructor(private readonly reader: EventReader) {
    super({ highWaterMark: bufferBytes });
  }

  /** Whether the first event has arrived. */
  hasBegun = false;

  /** Whether the last event has arrived, or an error that ends the stream. */
  get isComplete(): boolean {
    return this.reader.state !== 'open';
  }

  /** Whether the upstream itself has ended the stream with an error. */
  get hasFailed(): boolean {
    return this.reader.state === 'failed';
  }

  /** Begins to keep time. */
  open(source: EventSource): void {
    this.source = source;
    this.endsAt = source.endsAt;
    this.receivedAt = this.sentAt = performance.now();
    watch(this);
  }

  /**
   * Takes what the upstream has sent.
   *
   * @throws EventTooLargeError
   */
  receive(chunk: Buffer): void {
    this.receivedAt = performance.now();
    this.receivedBytes += chunk.length;
    for (const event of this.splitter.push(chunk)) this.takeEvent(event);
    if (this.isComplete) this.recordOnce();
  }

  /**
   * The upstream has ended its response.
   *
   * @returns whether the stream is complete
   */
  finish(): boolean {
    this.hasUpstreamEnded = true;
    const rest = this.splitter.end();
    const readyCount = this.ready.length;
    if (rest.length > 0 && !this.isComplete) this.takeEvent(rest);
    if (!this.isComplete) {
      // Servers may leave out the last blank line, but anything else that isn't whole is no event.
      this.ready.length = readyCount;
      return false;
    }
    this.recordOnce();
    this.endWhenReady();
    return true;
  }

  /** The stream broke off: it ends with an error event, unless all of it had arrived. */
  break(error: AppError): void {
    this.hasUpstreamEnded = true;
    if (!this.isComplete) this.failure ??= error;
    this.recordOnce();
    this.endWhenReady();
  }

  /** @param record records the request; the last event waits for it */
  recordBeforeEnd(record: () => Promise<void>): void {
    this.record = record;
    if (this.isComplete || this.failure !== undefined) this.recordOnce();
  }

  /** Nobody reads any more, but the upstream's response is read to its end. */
  drain(): void {
    this.isDrained = true;
    this.receivedBytes = 0;
  }

  /** Whether more has come than is read for nobody. */
  get isDrainedEnough(): boolean {
    return this.isDrained && this.receivedBytes > maxDrainedBytes;
  }

  /** Ends the keeping of time. */
  close(): void {
    stopWatching(this);
  }

  check(now: number): void {
    const { source } = this;
    if (source === undefined) return;
    if (this.isComplete) {
      if (now - this.tailSince > tailMilliseconds && !this.hasUpstreamEnded) this.abandonTail();
      return;
    }
    if (this.isBlocked) {
      // The upstream isn't asked for more until the client has read, so its time stands still.
      this.endsAt += now - this.receivedAt;
      this.receivedAt = now;
    }
    const isIdle = now - this.receivedAt > source.idleSeconds * 1000;
    const isLate = isIdle || now > this.endsAt;
    // What arrived while this process was stalled counts: it's read before the next check.
    if (isLate && this.wasLate) return source.onLate(isIdle ? source.idleSeconds : source.timeoutSeconds);
    this.wasLate = isLate;
    if (this.readableLength === 0 && now - this.sentAt >= keepAliveMilliseconds) this.pass(keepAlive);
  }

  override _read(): void {
    if (!this.isBlocked) return;
    this.isBlocked = false;
    this.receivedAt = performance.now();
    this.source?.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.readableEnded) this.source?.leave();
    done(error);
  }

  private takeEvent(bytes: Buffer): void {
    this.hasBegun = true;
    if (this.isComplete) {
      this.tail.push(bytes);
      return;
    }
    const readable = this.reader.read(readEvent(bytes));
    if (readable === undefined) return;
    if (!this.isComplete) {
      this.pass(readable);
      return;
    }
    this.tailSince = performance.now();
    this.tail.push(readable);
  }

  private pass(event: Buffer): void {
    if (this.isDrained || this.destroyed) return;
    if (this.ready.push(event) === 1) atEndOfTurn(() => this.send());
  }

  private send(): void {
    const { ready } = this;
    const [first] = ready;
    if (first === undefined || this.destroyed) return;
    this.sentAt = performance.now();
    this.isBlocked = !this.push(ready.length === 1 ? first : Buffer.concat(ready));
    ready.length = 0;
    if (this.isBlocked) this.source?.pause();
  }

  private recordOnce(): void {
    if (this.isRecording || this.record === undefined) return;
    this.isRecording = true;
    this.record().then(
      () => this.endRecorded(),
      (error: unknown) => {
        this.failure = toAppError(error);
        this.endRecorded();
      },
    );
  }

  private endRecorded(): void {
    this.isRecorded = true;
    this.endWhenReady();
  }

  private endWhenReady(): void {
    if (!this.isRecorded || this.hasEnded || this.destroyed) return;
    if (!this.hasUpstreamEnded && this.failure === undefined) return;
    this.hasEnded = true;
    this.send();
    if (this.failure === undefined) this.push(Buffer.concat(this.tail));
    else this.push(this.reader.errorEvent(this.failure));
    this.push(null);
    this.close();
  }

  /** The upstream keeps the connection open for nothing. */
  private abandonTail(): void {
    this.hasUpstreamEnded = true;
    this.endWhenReady();
    this.source?.cancel();
  }
}
