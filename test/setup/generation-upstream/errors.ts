import type { ServerResponse } from 'node:http';
import { type StreamEvent, toEvent, toTypedEvent } from './events.js';
import type { Dialect } from './request.js';
import type { Script, UpstreamError } from './script.js';

/** An error in the midst of a stream, as each vendor sends it. */
export function inStreamError(dialect: Dialect, error: UpstreamError, sequence_number: number): StreamEvent {
  const { message, type = 'server_error', code = null, param = null } = error;
  if (dialect === 'messages') return toTypedEvent(anthropicError(error));
  if (dialect !== 'responses') return toEvent({ error: { message, type, param, code } });
  return toTypedEvent({ type: 'error', sequence_number, code, message, param });
}

/** Fails a request before the first byte. */
export function sendFailure(response: ServerResponse, dialect: Dialect, fail: NonNullable<Script['fail']>): void {
  const { status, headers, html, message, type = 'server_error', code = null, param = null } = fail;
  if (html !== undefined) {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html);
    return;
  }
  const openAiError = { error: { message, type, param, code } };
  const body = dialect === 'messages' ? anthropicError(fail) : openAiError;
  response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_upstream', ...headers })
    .end(JSON.stringify(body));
}

function anthropicError({ message, type = 'overloaded_error' }: UpstreamError) {
  return { type: 'error', error: { type, message }, request_id: 'req_upstream' };
}
