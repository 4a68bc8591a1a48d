import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AppError } from '../../common/errors/app-error.js';
import { ClientGoneError } from '../../common/errors/client-gone-error.js';
import type { Span } from '../../tracing/trace.js';
import { toAppError } from '../../common/errors/to-app-error.js';
import { JsonScanError } from '../json/token-reader.js';
import { startUpstreamSpan, usedAttributes } from '../model-spans.js';
import type { Drains } from './drains.js';
import type { EventResponse } from './events/event-response.js';
import { EventTooLargeError } from './events/event-splitter.js';
import type { ForwardedRequest } from './forwarded-request.js';
import type { Outcome, Pass, UpstreamClient } from './upstream-client.js';
import { UpstreamDeadline } from './upstream-deadline.js';
import {
  connectionFailure,
  invalidResponse,
  lateResponse,
  rejection,
  reportedRejection,
  UpstreamFailure,
} from './upstream-failure.js';
import type { UpstreamProtocol } from './upstream-protocol.js';
import { UpstreamResponse } from './upstream-response.js';

/** How long streams may take to begin, and pause. */
const defaultFirstByteSeconds = 60;
const defaultIdleSeconds = 120;

/** One request to an upstream and its response, from the first byte to the last; undici reports its progress. */
export class UpstreamExchange implements Dispatcher.DispatchHandler {
  private readonly response: UpstreamResponse;
  private readonly deadline = new UpstreamDeadline(() => this.failLate(this.secondsToRespond));
  private secondsToRespond: number;
  private endsAt = Infinity;
  /** Set once the upstream responds with a stream of events. */
  private events: EventResponse | undefined;
  /** Ends the drain that reads the response for nobody. */
  private endDrain: (() => void) | undefined;
  private resolve: (body: Buffer | Readable) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  /** Whether there was a connection to send on. If not, the upstream has seen nothing of the request. */
  private wasStarted = false;
  /** Resolves once the request was sent or given up; undefined if it's sent in one piece. */
  private sent: Promise<boolean> | undefined;
  private isRequestSent = false;
  private failure: Error | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  /** Reads what has arrived after the first bytes, at the end of their turn of the event loop. */
  private readingBeginning: NodeJS.Immediate | undefined;
  private isForwarding = false;
  private brokeForSlowClient = false;
  private readonly startMilliseconds = performance.now();
  private readonly span: Span | undefined;

  /**
   * @param pass of the upstream's circuit; returned when the exchange has ended
   * @param onCut called with the reason when a partially forwarded response fails
   */
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly protocol: UpstreamProtocol,
    private readonly request: ForwardedRequest,
    private pass: Pass | undefined,
    private readonly drains: Drains,
    private readonly onCut: (reason: unknown) => void,
  ) {
    const { target } = upstream;
    this.response = new UpstreamResponse(request.body.modelName, request.usage, upstream.fieldsOf(protocol));
    this.span = request.trace && startUpstreamSpan(request.trace, { target, protocol }, request.usage.model);
    const { timeoutSeconds, firstByteSeconds = defaultFirstByteSeconds } = target;
    this.secondsToRespond = request.openEvents ? Math.min(firstByteSeconds, timeoutSeconds) : timeoutSeconds;
  }

  /**
   * Sends the request.
   *
   * @returns the body of the response: complete if it arrived at once, else a stream, which breaks when the response does
   * @throws UpstreamFailure; AppError if the request turns out to be invalid; ClientGoneError
   */
  run(millisecondsLeft: number): Promise<Buffer | Readable> {
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
      this.request.response.once('close', this.hangUp);
      this.endsAt = performance.now() + millisecondsLeft;
      this.deadline.start(Math.min(millisecondsLeft, this.secondsToRespond * 1000));
      if (this.request.response.destroyed) this.hangUp();
      else this.attempt(() => this.send());
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure !== undefined) return controller.abort(this.failure);
    this.wasStarted = true;
    this.request.usage.isUnreported = this.protocol.isFree !== true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Interim responses (1xx) come first; the last response counts.
    this.status = status;
    this.headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { response } = this;
    if (this.events !== undefined || this.isEventStream) return this.receiveEvents(controller, chunk);
    if (this.endDrain !== undefined) return this.attempt(() => void response.read(chunk));
    if (response.rest !== undefined) {
      if (!response.rest.push(chunk)) controller.pause();
    } else if (response.collect(chunk)) this.forwardFromHere(controller);
    // A response that has arrived completely costs less than a stream. Errors are read to their end.
    else if (!this.isRejection) this.readingBeginning ??= setImmediate(() => this.forwardFromHere(controller));
  }

  onResponseEnd(): void {
    clearImmediate(this.readingBeginning);
    const { rest } = this.response;
    if (this.events !== undefined) this.endEvents(this.events);
    else if (this.endDrain !== undefined) this.attempt(() => this.endDrained());
    else if (rest === undefined) this.attempt(() => this.readBeginning());
    else rest.push(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.response.rest?.destroy(error);
    if (!this.isForwarding || this.events !== undefined) this.fail(error);
  }

  private send(): void {
    const { upstream, protocol, request } = this;
    const { target } = upstream;
    const body = request.body.edited(request.edit?.(target) ?? request.body.renameModel(target.model));
    this.sent = body.sent;
    this.isRequestSent = body.sent === undefined;
    void body.sent?.then((isSent) => (this.isRequestSent = isSent));
    const ownHeaders = { 'x-request-id': request.requestId, ...request.headers, ...this.span?.headers };
    upstream.dispatch(this, protocol, body, ownHeaders);
  }

  private get isEventStream(): boolean {
    if (this.request.openEvents === undefined || this.isRejection) return false;
    return /^text\/event-stream\b/i.test(String(this.headers['content-type']));
  }

  private receiveEvents(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.attempt(() => {
      const events = (this.events ??= this.openEvents());
      if (events === undefined) return;
      events.receive(chunk);
      if (!this.isForwarding && events.hasBegun) this.respondWithEvents(events, controller);
      else if (events.isDrainedEnough) this.fail(new ClientGoneError());
    });
  }

  private openEvents(): EventResponse | undefined {
    const events = this.request.openEvents?.();
    if (this.endDrain !== undefined) events?.drain();
    return events;
  }

  /** The first event has arrived: from here on, only the stream itself can tell the client of a failure. */
  private respondWithEvents(events: EventResponse, controller: Dispatcher.DispatchController): void {
    if (this.failure !== undefined) return;
    const { upstream, endsAt } = this;
    const { timeoutSeconds, idleSeconds = defaultIdleSeconds } = upstream.target;
    upstream.health.recordResponse(performance.now() - this.startMilliseconds);
    this.endProbe();
    this.deadline.pause();
    this.isForwarding = true;
    events.open({
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      leave: this.hangUp,
      cancel: () => controller.abort(new ClientGoneError()),
      onLate: (seconds) => this.failLate(seconds),
      idleSeconds,
      endsAt,
      timeoutSeconds,
    });
    this.resolve(events);
  }

  private endEvents(events: EventResponse): void {
    this.attempt(() => {
      if (!events.finish()) throw invalidResponse(this.upstream.target, 'ended before its last event');
      if (!this.isForwarding) this.resolve(events);
      this.finish(events.hasFailed ? 'failure' : 'success');
    });
  }

  private failLate(seconds: number): void {
    this.fail(lateResponse(this.upstream.target, this.isRequestSent, seconds));
  }

  /** The client is gone, and the whole response was read to learn what it cost. */
  private endDrained(): void {
    if (this.isRejection) this.request.usage.isUnreported = false;
    else this.response.end();
    this.finish('success');
  }

  private get isRejection(): boolean {
    return this.status < 200 || this.status > 299;
  }

  /** Forwards what has arrived, and the rest of the response as it arrives. */
  private forwardFromHere(controller: Dispatcher.DispatchController): void {
    clearImmediate(this.readingBeginning);
    this.attempt(() => {
      this.response.openRest(controller);
      this.readBeginning();
    });
  }

  private readBeginning(): void {
    const { status, headers, response, isRejection } = this;
    const beginning = response.takeBeginning();
    // Upstreams bill nothing for errors.
    if (isRejection) this.request.usage.isUnreported = false;
    if (isRejection) {
      const reject = this.protocol.reportsErrors === true ? reportedRejection : rejection;
      throw reject(this.upstream.target, { status, headers, beginning });
    }
    const body = response.read(beginning);
    if (response.rest === undefined) response.end();
    if (this.sent === undefined) this.respond(body);
    else void this.sent.then((isSent) => (isSent ? this.respond(body) : this.rejectEarlyResponse()));
  }

  /** The response arrived, but the request was never fully sent and validated. */
  private rejectEarlyResponse(): void {
    this.fail(invalidResponse(this.upstream.target, 'came before the request was complete'));
  }

  private respond(body: Buffer): void {
    if (this.failure !== undefined) return;
    this.upstream.health.recordResponse(performance.now() - this.startMilliseconds);
    const { rest } = this.response;
    if (rest === undefined) {
      this.finish('success');
      this.resolve(body);
    } else {
      this.isForwarding = true;
      this.request.usage.expectsMore = () => !this.response.isComplete;
      this.resolve(Readable.from(this.forward(body, rest), { objectMode: false }));
    }
  }

  private async *forward(beginning: Buffer, rest: Readable): AsyncGenerator<Buffer> {
    // An upstream may close a connection that isn't read from: then the slow client is at fault.
    rest.once('error', () => (this.brokeForSlowClient = this.deadline.isClientSlow));
    this.endProbe();
    try {
      // The upstream isn't asked for more until the client has read, so its time stands still.
      this.deadline.pause();
      if (beginning.length > 0) yield beginning;
      this.resumeDeadline();
      for await (const chunk of rest as AsyncIterable<Buffer>) {
        const readable = this.response.read(chunk);
        if (readable.length === 0) continue;
        this.deadline.pause();
        yield readable;
        this.resumeDeadline();
      }
      this.response.end();
      this.finish('success');
    } catch (error) {
      const reason = this.fail(error);
      if (!(reason instanceof ClientGoneError)) this.onCut(reason);
      throw reason;
    }
  }

  private resumeDeadline(): void {
    if (this.pass !== undefined) this.deadline.resume();
  }

  /** The circuit must not wait for a slow client before it lets other requests pass. */
  private endProbe(): void {
    if (this.pass?.isProbe !== true) return;
    this.upstream.circuit.leave(this.pass, 'success');
    this.pass = this.upstream.circuit.enter();
  }

  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error);
    }
  }

  private readonly hangUp = () => {
    if (this.endDrain !== undefined) return;
    if (this.failure === undefined && this.mayDrain()) this.drain();
    else this.fail(new ClientGoneError());
  };

  /** Whether the response is read to its end after the client has disconnected, because the upstream bills all of it. */
  private mayDrain(): boolean {
    const isUndecided = this.events === undefined ? this.response.rest === undefined : !this.events.isComplete;
    if (this.upstream.target.onDisconnect !== 'drain' || !this.wasStarted || !isUndecided) return false;
    return this.isRequestSent && !this.drains.isFull;
  }

  private drain(): void {
    clearImmediate(this.readingBeginning);
    const { events, response, request } = this;
    request.usage.settling = new Promise((resolve) => {
      this.endDrain = this.drains.begin(() => this.fail(new ClientGoneError()), resolve);
    });
    this.deadline.start(this.endsAt - performance.now());
    events?.drain();
    if (events === undefined) this.attempt(() => void response.read(response.takeBeginning()));
    this.reject(new ClientGoneError());
    this.controller?.resume();
  }

  /** Ends the exchange and returns the reason. The first one counts: others follow from it. */
  private fail(error: unknown): Error {
    clearImmediate(this.readingBeginning);
    const isFirst = this.failure === undefined;
    const reason = (this.failure ??= this.explain(error));
    const isUpstreamFailure = reason instanceof UpstreamFailure && !this.brokeForSlowClient;
    if (isFirst && isUpstreamFailure && reason.isUpstreamFault) {
      this.upstream.health.recordError(reason.reason, performance.now() - this.startMilliseconds);
    }
    this.endSpan(reason instanceof UpstreamFailure ? reason.clientError.code : reason.name);
    this.finish(isUpstreamFailure ? reason.outcome : 'unknown');
    this.reject(reason);
    if (isFirst && this.isForwarding && this.events !== undefined) this.breakEvents(this.events, reason);
    this.controller?.abort(reason);
    return reason;
  }

  private breakEvents(events: EventResponse, reason: Error): void {
    const error = reason instanceof UpstreamFailure ? reason.clientError : toAppError(reason);
    if (!(reason instanceof ClientGoneError)) {
      if (!events.isComplete) this.request.usage.failure = error;
      this.onCut(reason);
    }
    events.break(error);
  }

  private explain(error: unknown): Error {
    if (error instanceof UpstreamFailure || error instanceof AppError || error instanceof ClientGoneError) return error;
    if (error instanceof EventTooLargeError)
      return invalidResponse(this.upstream.target, 'has an event that is too large');
    if (error instanceof JsonScanError) return invalidResponse(this.upstream.target, error.message);
    return connectionFailure(this.upstream.target, error, this.wasStarted);
  }

  private endSpan(error?: string): void {
    const { status, request, span } = this;
    span?.end({ 'http.response.status_code': status || undefined, ...usedAttributes(request.usage) }, error);
  }

  private finish(outcome: Outcome): void {
    if (outcome === 'success') this.endSpan();
    this.events?.close();
    this.endDrain?.();
    if (this.pass === undefined) return;
    this.upstream.circuit.leave(this.pass, outcome);
    this.pass = undefined;
    this.deadline.pause();
    this.request.response.off('close', this.hangUp);
  }
}
