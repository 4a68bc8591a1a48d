import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Answers up to this size are collected, so that they can be checked before anything of them is passed on. */
const collectedBytes = 64 * 1024;

/** What a server answers. */
export interface UpstreamAnswer {
  /** HTTP status code. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All of a small answer, the beginning of a large one. */
  readonly beginning: Buffer;
  /** What follows of a large answer; read no faster than it is asked for. */
  readonly rest: Readable | undefined;
}

/** One request to a server, as undici tells of it. */
export class UpstreamCall implements Dispatcher.DispatchHandler {
  /** Resolves with the answer; rejects with the reason of `cancel`, or with whatever broke the connection. */
  readonly answer: Promise<UpstreamAnswer>;
  /** Whether a connection was there to send on; if not, the server has seen nothing of the request. */
  wasSent = false;
  private resolve: (answer: UpstreamAnswer) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private cancelled: Error | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private chunks: Buffer[] = [];
  private bytes = 0;
  private rest: Readable | undefined;

  constructor() {
    this.answer = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Waits for something beside the answer, no longer than until the request is given up or the connection breaks. */
  until<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.reject = reject;
      if (this.cancelled !== undefined) reject(this.cancelled);
      promise.then(resolve, reject);
    });
  }

  /** Gives the request up, in whatever state it is. */
  cancel(reason: Error): void {
    this.cancelled ??= reason;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.cancelled !== undefined) controller.abort(this.cancelled);
    else this.wasSent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Of interim answers (1xx) nothing is passed on; the last one counts.
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.rest !== undefined) {
      if (!this.rest.push(chunk)) controller.pause();
      return;
    }
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    if (this.bytes <= collectedBytes) return;
    controller.pause();
    this.rest = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('The rest of the answer is not wanted.'));
        done(error);
      },
    });
    // Whoever reads it gets to see the error; before that nobody listens.
    this.rest.on('error', () => undefined);
    this.settle();
  }

  onResponseEnd(): void {
    if (this.rest === undefined) this.settle();
    else this.rest.push(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.rest?.destroy(error);
    this.reject(error);
  }

  private settle(): void {
    const { status, headers, chunks, rest } = this;
    const [only] = chunks;
    const beginning = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, this.bytes);
    this.chunks = [];
    this.resolve({ status, headers, beginning, rest });
  }
}
