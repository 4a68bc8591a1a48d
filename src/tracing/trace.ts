import { nextStep, type TraceContext, traceHeaders } from './trace-context.js';

export type SpanAttributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** `server` for a received request, `client` for one that is sent. */
export type SpanKind = 'server' | 'client' | 'internal';

/** A step of a request. */
export interface Span {
  /** For a request to another service that is part of this step. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Ends the step; later calls do nothing.
   *
   * @param attributes more than were given when it started
   * @param error such as an error code, if the step failed
   */
  end(attributes?: SpanAttributes, error?: string): void;
}

/** The trace that a request belongs to. */
export interface Trace {
  readonly traceId: string;
  /** Starts a step of the request. */
  startSpan(name: string, kind: SpanKind, attributes?: SpanAttributes): Span;
}

/** A trace that Keycard passes on without recording its own steps. */
export class PassedOnTrace implements Trace {
  constructor(private readonly context: TraceContext) {}

  get traceId(): string {
    return this.context.traceId;
  }

  startSpan(): Span {
    return { headers: traceHeaders(nextStep(this.context)), end: () => undefined };
  }
}
