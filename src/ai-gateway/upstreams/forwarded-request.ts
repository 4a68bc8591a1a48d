import type { ServerResponse } from 'node:http';
import type { UpstreamTarget } from '../../config/model-definition.js';
import type { Trace } from '../../tracing/trace.js';
import type { ModelRequest } from '../body/model-request.js';
import type { JsonEdit } from '../json/json-edit.js';
import type { RequestUsage } from '../request-usage.js';
import type { EventResponse } from './events/event-response.js';

/** A client's request that an upstream handles. */
export interface ForwardedRequest {
  readonly body: ModelRequest;
  /** Sent along as `x-request-id`. */
  readonly requestId: string;
  /** Continued by the upstream. */
  readonly trace: Trace | undefined;
  /** Filled in before the last byte of the response is forwarded. */
  readonly usage: RequestUsage;
  /** Closes unfinished when the client disconnects. Listening to it costs a tenth of what an `AbortSignal` does. */
  readonly response: ServerResponse;
  /** Sent along. Only headers without secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a target gets instead of what the client sent, in order; by default, its name for the model. */
  readonly edit?: (target: UpstreamTarget) => readonly JsonEdit[];
  /** Set if the client asked for a stream of events: called when an upstream responds with one. */
  readonly openEvents?: () => EventResponse;
  /**
   * Called before the request is sent to a target.
   *
   * @returns whether it may be sent there
   */
  readonly prepare?: (target: UpstreamTarget) => Promise<boolean>;
}
