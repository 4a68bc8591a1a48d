import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as OpenTelemetry's protocol has it in JSON. */
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1: internal, 2: server, 3: client. */
  kind: number;
  attributes: { key: string; value: Record<string, string | number> }[];
  /** 2 is an error. */
  status: { code?: number };
}

interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpSpan['attributes'] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

/** A received span. */
export interface CollectedSpan extends Omit<OtlpSpan, 'attributes'> {
  attributes: Record<string, string | number>;
  /** Name of the service. */
  service: string | number | undefined;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** The headers of the latest request. */
  headers: IncomingHttpHeaders;
  stop: () => Promise<void>;
}

/**
 * Starts an OpenTelemetry collector.
 *
 * @param isSilent whether it accepts requests and never responds
 */
export async function startCollector(isSilent = false): Promise<Collector> {
  const server = createServer((request, response) => {
    collector.headers = request.headers;
    void json(request).then((body) => {
      if (request.url === '/v1/traces') collector.spans.push(...readSpans(body as OtlpRequest));
      if (!isSilent) response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: {},
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}

function readSpans({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = toObject(resource.attributes)['service.name'];
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({ ...span, service, attributes: toObject(span.attributes) }));
  });
}

function toObject(attributes: OtlpSpan['attributes']): CollectedSpan['attributes'] {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));
}
