import { toAppError } from '../common/errors/to-app-error.js';
import { meters } from '../common/rules/meters.js';
import { type Task, taskDefinitions } from '../common/rules/tasks.js';
import type { UpstreamTarget } from '../config/model-definition.js';
import type { Span, SpanAttributes, Trace } from '../tracing/trace.js';
import type { RequestUsage } from './request-usage.js';
import type { UpstreamProtocol } from './upstreams/upstream-protocol.js';

/** Starts the span of a request to an upstream. */
export function startUpstreamSpan(
  trace: Trace,
  { target, protocol: upstream }: { target: UpstreamTarget; protocol: UpstreamProtocol },
  id: string,
): Span {
  const { task, provider = 'openai' } = upstream;
  const { protocol, hostname, port } = new URL(target.baseUrl);
  return trace.startSpan(`${task} ${id}`, 'client', {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    // Upstreams have a vendor's API; who is behind it isn't known.
    ...modelAttributes(task, id, provider),
  });
}

/** Runs the work of an embedded engine in a span. */
export async function inEngineSpan<Result>(
  trace: Trace | undefined,
  task: Task,
  usage: RequestUsage,
  work: () => Promise<Result>,
): Promise<Result> {
  if (trace === undefined) return work();
  const span = trace.startSpan(`${task} ${usage.model}`, 'internal', modelAttributes(task, usage.model, 'keycard'));
  try {
    const result = await work();
    span.end(usedAttributes(usage));
    return result;
  } catch (error) {
    span.end(usedAttributes(usage), toAppError(error).code);
    throw error;
  }
}

/** What a request has used. */
export function usedAttributes(usage: RequestUsage): SpanAttributes {
  const attributes: Record<string, number> = {};
  for (const { name, column, spanAttribute = `keycard.${column}` } of meters) {
    if (usage[name]) attributes[spanAttribute] = usage[name];
  }
  return attributes;
}

function modelAttributes(task: Task, id: string, provider: string): SpanAttributes {
  const { operation } = taskDefinitions[task];
  if (operation === undefined) return { 'keycard.model': id };
  return { 'gen_ai.operation.name': operation, 'gen_ai.provider.name': provider, 'gen_ai.request.model': id };
}
