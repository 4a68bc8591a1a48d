import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ForwardedRequest } from './forwarded-request.js';
import type { Outcome, UpstreamClient } from './upstream-client.js';
import type { UpstreamDeadline } from './upstream-deadline.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

/** Passes the body of a response on to the client. */
export interface ResponseRelay {
  /** Takes what has arrived. */
  receive(chunk: Buffer): void;
  /** The upstream has sent all of it. */
  end(): void;
  /** The connection to the upstream has broken. */
  break(error: Error): void;
  /** The exchange has failed, for the first time. */
  onFail(reason: Error): void;
  /** Whether the response can still be read for nobody, to learn what it cost. */
  readonly mayDrain: boolean;
  /** The client is gone, and the rest is read for nobody. */
  drain(): void;
  /** Whether the upstream gave up because the client didn't read. */
  readonly isClientAtFault: boolean;
  /** The exchange has ended. */
  close(): void;
}

/** What a relay may know of its exchange, and ask of it. */
export interface ExchangeControl {
  readonly upstream: UpstreamClient;
  readonly protocol: UpstreamProtocol;
  readonly request: ForwardedRequest;
  readonly deadline: UpstreamDeadline;
  /** When the upstream's time is up, from `performance.now()`. */
  readonly endsAt: number;
  /** HTTP status code. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Whether the status isn't 2xx. */
  readonly isRejection: boolean;
  /** Resolves once the request was sent or given up; undefined if it's sent in one piece. */
  readonly sent: Promise<boolean> | undefined;
  readonly hasFailed: boolean;
  /** Whether the client is gone, and the response is read for nobody. */
  readonly isDraining: boolean;
  /** Gives the response to the client. */
  begin(body: Buffer | Readable): void;
  endProbe(): void;
  /** Lets the upstream's time go on. */
  resumeDeadline(): void;
  /** Ends the exchange with its outcome. */
  finish(outcome: Outcome): void;
  /** Ends the exchange and returns the reason. The first one counts: others follow from it. */
  fail(error: unknown): Error;
  /** Fails if the step does. */
  attempt(step: () => void): void;
  failLate(seconds: number): void;
  /** The client has disconnected. */
  hangUp(): void;
  /** Notes why a partially forwarded response has failed. */
  onCut(reason: unknown): void;
}
