import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { AppError } from '../../common/errors/app-error.js';
import { ClientGoneError } from '../../common/errors/client-gone-error.js';
import type { Span } from '../../tracing/trace.js';
import { JsonScanError } from '../json/token-reader.js';
import { startUpstreamSpan, usedAttributes } from '../model-spans.js';
import type { Drains } from './drains.js';
import { EventRelay } from './events/event-relay.js';
import { EventTooLargeError } from './events/event-splitter.js';
import type { ForwardedRequest } from './forwarded-request.js';
import { JsonRelay } from './json-relay.js';
import type { ExchangeControl, ResponseRelay } from './response-relay.js';
import type { Outcome, Pass, UpstreamClient } from './upstream-client.js';
import { UpstreamDeadline } from './upstream-deadline.js';
import { connectionFailure, invalidResponse, lateResponse, UpstreamFailure } from './upstream-failure.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

/** How long a stream may take to begin. */
const defaultFirstByteSeconds = 60;

/** One request to an upstream and its response, from the first byte to the last; undici reports its progress. */
export class UpstreamExchange implements Dispatcher.DispatchHandler, ExchangeControl {
  readonly deadline = new UpstreamDeadline(() => this.failLate(this.secondsToRespond));
  endsAt = Infinity;
  sent: Promise<boolean> | undefined;
  status = 0;
  headers: IncomingHttpHeaders = {};
  private readonly secondsToRespond: number;
  /** Set once the response has a body. */
  private relay: ResponseRelay | undefined;
  /** Ends the drain that reads the response for nobody. */
  private endDrain: (() => void) | undefined;
  private resolve: (body: Buffer | Readable) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | undefined;
  /** Whether there was a connection to send on. If not, the upstream has seen nothing of the request. */
  private wasStarted = false;
  private isRequestSent = false;
  private failure: Error | undefined;
  private readonly startMilliseconds = performance.now();
  private readonly span: Span | undefined;

  /**
   * @param pass of the upstream's circuit; returned when the exchange has ended
   * @param onCut called with the reason when a partially forwarded response fails
   */
  constructor(
    readonly upstream: UpstreamClient,
    readonly protocol: UpstreamProtocol,
    readonly request: ForwardedRequest,
    private pass: Pass | undefined,
    private readonly drains: Drains,
    readonly onCut: (reason: unknown) => void,
  ) {
    const { target } = upstream;
    this.span = request.trace && startUpstreamSpan(request.trace, { target, protocol }, request.usage.model);
    const { timeoutSeconds, firstByteSeconds = defaultFirstByteSeconds } = target;
    this.secondsToRespond = request.openEvents ? Math.min(firstByteSeconds, timeoutSeconds) : timeoutSeconds;
  }

  get isRejection(): boolean {
    return this.status < 200 || this.status > 299;
  }

  get hasFailed(): boolean {
    return this.failure !== undefined;
  }

  get isDraining(): boolean {
    return this.endDrain !== undefined;
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
    this.attempt(() => this.relayTo(controller).receive(chunk));
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    this.attempt(() => this.relayTo(controller).end());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.relay === undefined) this.fail(error);
    else this.relay.break(error);
  }

  begin(body: Buffer | Readable): void {
    this.upstream.health.recordResponse(performance.now() - this.startMilliseconds);
    this.resolve(body);
  }

  /** The circuit must not wait for a slow client before it lets other requests pass. */
  endProbe(): void {
    if (this.pass?.isProbe !== true) return;
    this.upstream.circuit.leave(this.pass, 'success');
    this.pass = this.upstream.circuit.enter();
  }

  resumeDeadline(): void {
    if (this.pass !== undefined) this.deadline.resume();
  }

  fail(error: unknown): Error {
    const isFirst = this.failure === undefined;
    const reason = (this.failure ??= this.explain(error));
    const isUpstreamFailure = reason instanceof UpstreamFailure && this.relay?.isClientAtFault !== true;
    if (isFirst && isUpstreamFailure && reason.isUpstreamFault) {
      this.upstream.health.recordError(reason.reason, performance.now() - this.startMilliseconds);
    }
    this.endSpan(reason instanceof UpstreamFailure ? reason.clientError.code : reason.name);
    this.finish(isUpstreamFailure ? reason.outcome : 'unknown');
    this.reject(reason);
    if (isFirst) this.relay?.onFail(reason);
    this.controller?.abort(reason);
    return reason;
  }

  failLate(seconds: number): void {
    this.fail(lateResponse(this.upstream.target, this.isRequestSent, seconds));
  }

  finish(outcome: Outcome): void {
    if (outcome === 'success') this.endSpan();
    this.relay?.close();
    this.endDrain?.();
    if (this.pass === undefined) return;
    this.upstream.circuit.leave(this.pass, outcome);
    this.pass = undefined;
    this.deadline.pause();
    this.request.response.off('close', this.hangUp);
  }

  readonly hangUp = (): void => {
    if (this.isDraining) return;
    if (this.failure === undefined && this.mayDrain()) this.drain();
    else this.fail(new ClientGoneError());
  };

  attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error);
    }
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

  private relayTo(controller: Dispatcher.DispatchController): ResponseRelay {
    this.relay ??= this.createRelay(controller);
    return this.relay;
  }

  private createRelay(controller: Dispatcher.DispatchController): ResponseRelay {
    const { openEvents } = this.request;
    const isEventStream = !this.isRejection && /^text\/event-stream\b/i.test(String(this.headers['content-type']));
    if (openEvents === undefined || !isEventStream) return new JsonRelay(this, controller);
    return new EventRelay(this, controller, openEvents());
  }

  /** Whether the response is read to its end after the client has disconnected, because the upstream bills all of it. */
  private mayDrain(): boolean {
    if (this.upstream.target.onDisconnect !== 'drain' || !this.wasStarted || !this.isRequestSent) return false;
    return this.relay?.mayDrain !== false && !this.drains.isFull;
  }

  private drain(): void {
    this.request.usage.settling = new Promise((resolve) => {
      this.endDrain = this.drains.begin(() => this.fail(new ClientGoneError()), resolve);
    });
    this.deadline.start(this.endsAt - performance.now());
    this.attempt(() => this.relay?.drain());
    this.reject(new ClientGoneError());
    this.controller?.resume();
  }

  private explain(error: unknown): Error {
    const { target } = this.upstream;
    if (error instanceof UpstreamFailure || error instanceof AppError || error instanceof ClientGoneError) return error;
    if (error instanceof EventTooLargeError) return invalidResponse(target, 'has an event that is too large');
    if (error instanceof JsonScanError) return invalidResponse(target, error.message);
    return connectionFailure(target, error, this.wasStarted);
  }

  private endSpan(error?: string): void {
    const { status, request, span } = this;
    span?.end({ 'http.response.status_code': status || undefined, ...usedAttributes(request.usage) }, error);
  }
}
