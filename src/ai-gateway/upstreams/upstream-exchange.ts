import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { AppError } from '../../common/errors/app-error.js';
import { ClientGoneError } from '../client-signal.js';
import { JsonScanError } from '../json/json-scan-error.js';
import type { RequestUsage } from '../metering/request-usage.js';
import type { ModelRequest, OutgoingBody } from '../body/model-request.js';
import type { Outcome, Pass } from './circuit.js';
import { ResponseReader } from './response-reader.js';
import { type UpstreamAnswer, UpstreamCall } from './upstream-call.js';
import { UpstreamDeadline } from './upstream-deadline.js';
import { connectionFailure, invalidAnswer, lateAnswer, refusal, UpstreamFailure } from './upstream-failure.js';
import type { UpstreamServer } from './upstream-server.js';

/** A client's request that another server is to answer. */
export interface ForwardedRequest {
  readonly body: ModelRequest;
  /** Sent along as `x-request-id`. */
  readonly requestId: string;
  /** Filled in before the last byte of the answer is passed on. */
  readonly usage: RequestUsage;
  /** The client has gone when it closes unfinished. Listening to it costs a tenth of what an `AbortSignal` does. */
  readonly response: ServerResponse;
}

/** A request to one server and its answer, from the first byte to the last. */
export class UpstreamExchange {
  private readonly call = new UpstreamCall();
  private readonly reader: ResponseReader;
  private readonly outgoing: OutgoingBody;
  private isRequestSent: boolean;
  private readonly deadline: UpstreamDeadline;
  /** Whether the response waits for the client to read it. */
  private isHeld = false;
  private brokeWhileHeld = false;

  /**
   * @param pass of the server's circuit; given back when the exchange has ended
   * @param onCut told why an answer ended of which a part had been passed on
   */
  constructor(
    private readonly server: UpstreamServer,
    private readonly request: ForwardedRequest,
    private pass: Pass | undefined,
    private readonly onCut: (reason: unknown) => void,
  ) {
    this.reader = new ResponseReader(request.body.modelName, request.usage);
    this.outgoing = request.body.withModel(server.target.model);
    this.isRequestSent = this.outgoing.isSent === undefined;
    void this.outgoing.isSent?.then((isSent) => (this.isRequestSent = isSent));
    this.deadline = new UpstreamDeadline(() => this.giveUp(lateAnswer(this.server.target, this.isRequestSent)));
  }

  /**
   * Sends the request.
   *
   * @returns the body of the answer: whole when it is small, else a stream, which breaks when the answer does
   * @throws UpstreamFailure; AppError when the request turns out not to be valid; ClientGoneError
   */
  async run(millisecondsLeft: number): Promise<Buffer | Readable> {
    const { response, requestId } = this.request;
    response.once('close', this.hangUp);
    this.deadline.start(millisecondsLeft);
    try {
      if (response.destroyed) throw new ClientGoneError('The client has gone.');
      this.server.dispatch(this.call, this.outgoing, requestId);
      const answer = await this.call.answer;
      const beginning = this.readBeginning(answer);
      if (this.outgoing.isSent !== undefined) await this.checkIsSent(this.outgoing.isSent);
      if (answer.rest !== undefined) return Readable.from(this.passOn(beginning, answer.rest), { objectMode: false });
      this.finish('success');
      return beginning;
    } catch (error) {
      throw this.giveUp(error);
    }
  }

  private readBeginning(answer: UpstreamAnswer): Buffer {
    if (answer.status < 200 || answer.status > 299) throw refusal(this.server.target, answer);
    const passed = this.reader.push(answer.beginning);
    if (answer.rest === undefined) this.reader.end();
    return passed;
  }

  /** An answer to a request that is not complete, or not valid after all, is none. */
  private async checkIsSent(isSent: Promise<boolean>): Promise<void> {
    if (await this.call.until(isSent)) return;
    throw invalidAnswer(this.server.target, 'came before the request was complete');
  }

  private async *passOn(beginning: Buffer, rest: Readable): AsyncGenerator<Buffer> {
    // A server may close a connection that is not read from: that is the client's doing, too.
    rest.once('error', () => (this.brokeWhileHeld = this.isHeld));
    this.endProbe();
    try {
      this.hold();
      yield beginning;
      this.resume();
      for await (const chunk of rest as AsyncIterable<Buffer>) {
        const passed = this.reader.push(chunk);
        if (passed.length === 0) continue;
        this.hold();
        yield passed;
        this.resume();
      }
      this.reader.end();
      this.finish('success');
    } catch (error) {
      const reason = this.giveUp(error);
      if (!(reason instanceof ClientGoneError)) this.onCut(reason);
      throw reason;
    }
  }

  /** The client has to read before the upstream is asked for more, so the upstream's time stands still. */
  private hold(): void {
    this.isHeld = true;
    this.deadline.pause();
  }

  private resume(): void {
    this.isHeld = false;
    if (this.pass !== undefined) this.deadline.resume();
  }

  /** The circuit must not wait for a slow client before it lets others pass. */
  private endProbe(): void {
    if (this.pass?.isProbe !== true) return;
    this.server.circuit.leave(this.pass, 'success');
    this.pass = this.server.circuit.enter();
  }

  private explain(error: unknown): Error {
    if (error instanceof UpstreamFailure || error instanceof AppError || error instanceof ClientGoneError) return error;
    if (error instanceof JsonScanError) return invalidAnswer(this.server.target, error.message);
    return connectionFailure(this.server.target, error, this.call.wasSent);
  }

  private readonly hangUp = () => void this.giveUp(new ClientGoneError('The client has gone.'));

  /** Ends the exchange with an error, which is returned as what it means. */
  private giveUp(error: unknown): Error {
    const reason = this.explain(error);
    this.finish(reason instanceof UpstreamFailure && !this.brokeWhileHeld ? reason.outcome : 'unknown');
    this.call.cancel(reason);
    return reason;
  }

  private finish(outcome: Outcome): void {
    if (this.pass === undefined) return;
    this.server.circuit.leave(this.pass, outcome);
    this.pass = undefined;
    this.deadline.pause();
    this.request.response.off('close', this.hangUp);
  }
}
