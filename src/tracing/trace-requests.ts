import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PassedOnTrace, type Span, type Trace } from './trace.js';
import { readTraceContext, type TraceContext } from './trace-context.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request belongs to no trace. */
    trace: Trace | undefined;
  }
}

/** Records traces. */
export interface TraceRecorder {
  /** Starts the span of a request, as part of the client's trace or of a new one. */
  startRequest(context: TraceContext | undefined): { readonly trace: Trace; readonly span: Span };
}

/** Status of a request whose client disconnected before the response, as in the log. */
const clientClosedRequest = 499;

/** Continues the traces of clients. With a recorder, every request has a trace. */
export function traceRequests(fastify: FastifyInstance, recorder: TraceRecorder | undefined): void {
  fastify.decorateRequest('trace', undefined);
  if (recorder !== undefined) {
    recordRequests(fastify, recorder);
    return;
  }
  fastify.addHook('onRequest', (request, _reply, done) => {
    const context = readTraceContext(request.headers);
    if (context !== undefined) request.trace = new PassedOnTrace(context);
    done();
  });
}

function recordRequests(fastify: FastifyInstance, recorder: TraceRecorder): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const { trace, span } = recorder.startRequest(readTraceContext(request.headers));
    request.trace = trace;
    spans.set(request, span);
    done();
  });
  fastify.addHook('onResponse', (request, { statusCode }, done) => {
    end(spans.get(request), request, statusCode);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    end(spans.get(request), request, clientClosedRequest);
    done();
  });
}

/** Attributes follow OpenTelemetry's conventions for HTTP, without the URL, which may contain secrets. */
function end(span: Span | undefined, request: FastifyRequest, status: number): void {
  const { id, ip, method, principal, protocol, routeOptions } = request;
  span?.end(
    {
      'http.request.method': method,
      'http.route': routeOptions.url,
      'http.response.status_code': status,
      'url.scheme': protocol,
      'client.address': ip,
      'keycard.request.id': id,
      'keycard.organization.id': principal?.organizationId,
      'keycard.principal.id': principal?.id,
    },
    status >= 500 ? String(status) : undefined,
  );
}
