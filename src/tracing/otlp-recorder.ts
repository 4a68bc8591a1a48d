import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  createTraceState,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span as OpenTelemetrySpan,
  SpanKind as Kind,
  SpanStatusCode,
  trace as traceApi,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from 'pino';
import { version } from '../common/package-info.js';
import type { Span, SpanAttributes, SpanKind, Trace } from './trace.js';
import type { TraceContext } from './trace-context.js';
import type { TraceRecorder } from './trace-requests.js';

export interface OtlpSettings {
  /** Base URL of the collector; `/v1/traces` is appended. */
  readonly exporterOtlpEndpoint: string;
  /** Such as credentials. */
  readonly exporterOtlpHeaders: Readonly<Record<string, string>>;
  readonly serviceName: string;
}

const shutdownMilliseconds = 2000;
const logIntervalMilliseconds = 60_000;
const kinds: Record<SpanKind, Kind> = { server: Kind.SERVER, client: Kind.CLIENT, internal: Kind.INTERNAL };

/** Sends spans to an OpenTelemetry collector, in batches and in the background. Drops them if the collector is slow or gone. */
export class OtlpRecorder implements TraceRecorder {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor({ exporterOtlpEndpoint, exporterOtlpHeaders, serviceName }: OtlpSettings, logger: Logger) {
    logExportErrors(logger);
    const url = `${exporterOtlpEndpoint.replace(/\/$/, '')}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, headers: { ...exporterOtlpHeaders } });
    this.provider = new BasicTracerProvider({
      resource: defaultResource()
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.tracer = this.provider.getTracer('keycard', version);
  }

  startRequest(context: TraceContext | undefined): { trace: Trace; span: Span } {
    const parent = context === undefined ? ROOT_CONTEXT : remoteContext(context);
    const span = this.tracer.startSpan('HTTP request', { kind: Kind.SERVER }, parent);
    return { trace: new RecordedTrace(this.tracer, span), span: new RequestSpan(span) };
  }

  /** Sends what is left, unless the collector takes too long. */
  async stop(): Promise<void> {
    const stopped = this.provider.shutdown().catch(() => undefined);
    await Promise.race([stopped, delay(shutdownMilliseconds, undefined, { ref: false })]);
  }
}

class RecordedTrace implements Trace {
  private readonly context: Context;

  constructor(
    private readonly tracer: Tracer,
    request: OpenTelemetrySpan,
  ) {
    this.context = traceApi.setSpan(ROOT_CONTEXT, request);
  }

  get traceId(): string {
    return traceApi.getSpanContext(this.context)?.traceId ?? '';
  }

  startSpan(name: string, kind: SpanKind, attributes?: SpanAttributes): Span {
    const options = { kind: kinds[kind], ...(attributes && { attributes: toAttributes(attributes) }) };
    return new RecordedSpan(this.tracer.startSpan(name, options, this.context));
  }
}

class RecordedSpan implements Span {
  constructor(protected readonly span: OpenTelemetrySpan) {}

  get headers(): Record<string, string> {
    const { traceId, spanId, traceFlags, traceState } = this.span.spanContext();
    const flags = traceFlags.toString(16).padStart(2, '0');
    const state = traceState?.serialize();
    return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state && { tracestate: state }) };
  }

  end(attributes: SpanAttributes = {}, error?: string): void {
    if (!this.span.isRecording()) return;
    this.span.setAttributes(toAttributes(attributes));
    if (error !== undefined) this.span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

/** The route is known only after the request has been received. */
class RequestSpan extends RecordedSpan {
  override end(attributes: SpanAttributes = {}, error?: string): void {
    const { 'http.request.method': method, 'http.route': route } = attributes;
    this.span.updateName([method, route].filter((part) => part !== undefined).join(' '));
    super.end(attributes, error);
  }
}

function remoteContext({ traceId, spanId, flags, state }: TraceContext): Context {
  return traceApi.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: parseInt(flags, 16),
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  });
}

function toAttributes(attributes: SpanAttributes): Attributes {
  const known = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Attributes;
}

/** At most one line a minute: while a collector is down, every batch fails. */
function logExportErrors(logger: Logger): void {
  let quietUntil = 0;
  const ignore = () => undefined;
  const report = (message: string, ...details: unknown[]) => {
    const now = performance.now();
    if (now < quietUntil) return;
    quietUntil = now + logIntervalMilliseconds;
    logger.warn({ reason: [message, ...details.map(String)].join(' ').slice(0, 500) }, 'Traces could not be exported.');
  };
  const log = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(log, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
