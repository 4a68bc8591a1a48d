import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The place of a request in a trace that spans several services (W3C Trace Context, https://www.w3.org/TR/trace-context/). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the step that the request comes from. */
  readonly spanId: string;
  /** Two hexadecimal digits. The lowest bit: whether the sender records the trace. */
  readonly flags: string;
  /** `tracestate`, which is passed on unchanged. */
  readonly state: string | undefined;
}

/** Later versions may append fields. */
const traceparentFormat = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
/** All of a shorter one must be passed on. */
const maxStateLength = 512;

/** Reads the headers of a request; undefined if it belongs to no trace, or if they are invalid. */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, spanId, flags, more] = traceparentFormat.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  const state = typeof tracestate === 'string' && tracestate.length <= maxStateLength ? tracestate : undefined;
  return { traceId, spanId, flags, state };
}

/** The headers for a request that comes from this step. */
export function traceHeaders({ traceId, spanId, flags, state }: TraceContext): Record<string, string> {
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state !== undefined && { tracestate: state }) };
}

/** A new step of the same trace. */
export function nextStep(context: TraceContext): TraceContext {
  return { ...context, spanId: randomBytes(8).toString('hex') };
}
