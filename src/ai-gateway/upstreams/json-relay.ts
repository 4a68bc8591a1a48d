import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ClientGoneError } from '../../common/errors/client-gone-error.js';
import type { ExchangeControl, ResponseRelay } from './response-relay.js';
import { invalidResponse, rejection, reportedRejection } from './upstream-failure.js';
import { UpstreamResponse } from './upstream-response.js';

/** Passes on a response of JSON: as a whole if it arrives at once, else as it arrives. */
export class JsonRelay implements ResponseRelay {
  isClientAtFault = false;
  private readonly response: UpstreamResponse;
  /** Reads what has arrived after the first bytes, at the end of their turn of the event loop. */
  private readingBeginning: NodeJS.Immediate | undefined;
  private isForwarding = false;

  constructor(
    private readonly exchange: ExchangeControl,
    private readonly controller: Dispatcher.DispatchController,
  ) {
    const { request, upstream, protocol } = exchange;
    this.response = new UpstreamResponse(request.body.modelName, request.usage, upstream.fieldsOf(protocol));
  }

  get mayDrain(): boolean {
    return this.response.rest === undefined;
  }

  receive(chunk: Buffer): void {
    const { response, exchange } = this;
    if (exchange.isDraining) this.discard(chunk);
    else if (response.rest !== undefined) {
      if (!response.rest.push(chunk)) this.controller.pause();
    } else if (response.collect(chunk)) this.forwardFromHere();
    // A response that has arrived completely costs less than a stream. Errors are read to their end.
    else if (!exchange.isRejection) this.readingBeginning ??= setImmediate(() => this.forwardFromHere());
  }

  end(): void {
    this.close();
    const { rest } = this.response;
    if (this.exchange.isDraining) this.endDrained();
    else if (rest === undefined) this.readBeginning();
    else rest.push(null);
  }

  break(error: Error): void {
    this.response.rest?.destroy(error);
    // Otherwise its reader gets the error.
    if (!this.isForwarding) this.exchange.fail(error);
  }

  onFail(): void {
    this.close();
  }

  drain(): void {
    this.close();
    this.discard(this.response.takeBeginning());
  }

  close(): void {
    clearImmediate(this.readingBeginning);
  }

  /** Reads a part only for what it reports. */
  private discard(chunk: Buffer): void {
    if (!this.exchange.isRejection) this.response.read(chunk);
  }

  /** The client is gone, and the whole response was read to learn what it cost. */
  private endDrained(): void {
    if (this.exchange.isRejection) this.exchange.request.usage.isUnreported = false;
    else this.response.end();
    this.exchange.finish('success');
  }

  /** Forwards what has arrived, and the rest of the response as it arrives. */
  private forwardFromHere(): void {
    this.close();
    this.exchange.attempt(() => {
      this.response.openRest(this.controller);
      this.readBeginning();
    });
  }

  private readBeginning(): void {
    const { response, exchange } = this;
    const { status, headers, upstream, request, sent } = exchange;
    const beginning = response.takeBeginning();
    if (exchange.isRejection) {
      // Upstreams bill nothing for errors.
      request.usage.isUnreported = false;
      const reject = exchange.protocol.reportsErrors === true ? reportedRejection : rejection;
      throw reject(upstream.target, { status, headers, beginning });
    }
    const body = response.read(beginning);
    if (response.rest === undefined) response.end();
    if (sent === undefined) this.respond(body);
    else void sent.then((isSent) => (isSent ? this.respond(body) : this.rejectEarlyResponse()));
  }

  /** The response arrived, but the request was never fully sent and validated. */
  private rejectEarlyResponse(): void {
    this.exchange.fail(invalidResponse(this.exchange.upstream.target, 'came before the request was complete'));
  }

  private respond(body: Buffer): void {
    const { exchange, response } = this;
    if (exchange.hasFailed) return;
    const { rest } = response;
    if (rest === undefined) {
      exchange.finish('success');
      exchange.begin(body);
    } else {
      this.isForwarding = true;
      exchange.request.usage.expectsMore = () => !response.isComplete;
      exchange.begin(Readable.from(this.forward(body, rest), { objectMode: false }));
    }
  }

  private async *forward(beginning: Buffer, rest: Readable): AsyncGenerator<Buffer> {
    const { exchange, response } = this;
    const { deadline } = exchange;
    // An upstream may close a connection that isn't read from: then the slow client is at fault.
    rest.once('error', () => (this.isClientAtFault = deadline.isClientSlow));
    exchange.endProbe();
    try {
      // The upstream isn't asked for more until the client has read, so its time stands still.
      deadline.pause();
      if (beginning.length > 0) yield beginning;
      exchange.resumeDeadline();
      for await (const chunk of rest as AsyncIterable<Buffer>) {
        const readable = response.read(chunk);
        if (readable.length === 0) continue;
        deadline.pause();
        yield readable;
        exchange.resumeDeadline();
      }
      response.end();
      exchange.finish('success');
    } catch (error) {
      const reason = exchange.fail(error);
      if (!(reason instanceof ClientGoneError)) exchange.onCut(reason);
      throw reason;
    }
  }
}
