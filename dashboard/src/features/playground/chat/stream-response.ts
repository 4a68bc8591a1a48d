import type { GenerationRoute } from '@rules/tasks.js';
import { createParser } from 'eventsource-parser';
import { trackedFetch } from '../../../api/reachability.js';
import { ServiceError, toServiceError } from '../../../api/service-error.js';
import { type GenerationRequest, toBody } from '../../../common/generation/generation-request.js';
import { addEvent, type ChatResponse, emptyResponse } from './chat-response.js';
import { headersFor, streamFields } from './dialects.js';

interface StreamRequest {
  key: string;
  route: GenerationRoute;
  request: GenerationRequest;
  signal: AbortSignal;
  /** Called with the response so far, for each part that arrives. */
  onProgress: (response: ChatResponse) => void;
}

/**
 * Sends a request and reads its response while it streams.
 *
 * @throws ServiceError for an error response or a lost connection, Error for one that the stream reports, and the reason
 *   of the signal
 */
export async function streamResponse(options: StreamRequest): Promise<void> {
  try {
    await readResponse(options);
  } catch (error) {
    options.signal.throwIfAborted();
    // Browsers report a lost connection as a TypeError.
    throw error instanceof TypeError ? new ServiceError(undefined, 0) : error;
  }
}

async function readResponse({ key, route, request, signal, onProgress }: StreamRequest): Promise<void> {
  const start = performance.now();
  const { body, headers } = await send({ key, route, request, signal });
  let response: ChatResponse = { ...emptyResponse, servedBy: readServedBy(headers) };
  onProgress(response);
  const parser = createParser({
    onEvent: ({ data }) => {
      response = addEvent(response, { route, data, milliseconds: performance.now() - start });
    },
  });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    try {
      parser.feed(part.value);
    } finally {
      onProgress(response);
    }
  }
  if (response.status !== 'complete') throw new Error('The response broke off.');
}

async function send({ key, route, request, signal }: Omit<StreamRequest, 'onProgress'>) {
  const response = await trackedFetch(
    new Request(`${window.location.origin}/v1/${route}`, {
      method: 'POST',
      headers: headersFor(route, key),
      body: JSON.stringify({ ...toBody(route, request), ...streamFields(route) }),
      signal,
    }),
  );
  const { ok, body, headers } = response;
  if (!ok) throw toServiceError(await response.json().catch(() => undefined), response);
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isStream || body === null) throw new Error('The upstream sent no stream. Its server may not support streaming.');
  return { body, headers };
}

/** The header is percent-encoded. */
function readServedBy(headers: Headers): string | undefined {
  const header = headers.get('x-keycard-model');
  return header === null ? undefined : decodeURIComponent(header);
}
