import type { GenerationRoute } from '@rules/tasks.js';
import { anthropicVersion } from '../../../common/generation/generation-request.js';
import { parseJson, textAt, valueAt } from './read-fields.js';

/** What an event of a stream says. */
export interface StreamPart {
  text?: string;
  /** The `usage` object, in the terms of the route. A field replaces what an earlier event reported. */
  usage?: unknown;
  /** Set if the stream ends with an error. */
  errorMessage?: string;
  /** Whether the response has reached its output limit. */
  isCutOff?: boolean;
  isEnd?: boolean;
}

/** Reads an event's data, by route. */
const readers: Readonly<Record<GenerationRoute, (event: unknown) => StreamPart>> = {
  'chat/completions': (event) => readCompletion(event, textAt(event, 'choices', 0, 'delta', 'content')),
  completions: (event) => readCompletion(event, textAt(event, 'choices', 0, 'text')),
  responses: readResponseEvent,
  messages: readMessageEvent,
};

/** Reads the data of an event. Unknown events say nothing. */
export function readEvent(route: GenerationRoute, data: string): StreamPart {
  if (data === '[DONE]') return { isEnd: true };
  return readers[route](parseJson(data));
}

/** The headers of a request: Anthropic's clients send the key and a version in headers of their own. */
export function headersFor(route: GenerationRoute, key: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(route === 'messages'
      ? { 'x-api-key': key, 'anthropic-version': anthropicVersion }
      : { authorization: `Bearer ${key}` }),
  };
}

/** What the request must have besides the body of the code samples. */
export function streamFields(route: GenerationRoute): object {
  const isCompletion = route === 'chat/completions' || route === 'completions';
  return { stream: true, ...(isCompletion && { stream_options: { include_usage: true } }) };
}

function readCompletion(event: unknown, text: string): StreamPart {
  const error = valueAt(event, 'error') ?? undefined;
  return {
    text: text === '' ? textAt(event, 'choices', 0, 'delta', 'refusal') : text,
    usage: valueAt(event, 'usage') ?? undefined,
    isCutOff: valueAt(event, 'choices', 0, 'finish_reason') === 'length',
    ...(error !== undefined && { errorMessage: describeError(error) }),
  };
}

function readResponseEvent(event: unknown): StreamPart {
  switch (valueAt(event, 'type')) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { text: textAt(event, 'delta') };
    case 'response.completed':
      return { usage: valueAt(event, 'response', 'usage'), isEnd: true };
    case 'response.incomplete': {
      const isCutOff = valueAt(event, 'response', 'incomplete_details', 'reason') === 'max_output_tokens';
      return { usage: valueAt(event, 'response', 'usage'), isCutOff, isEnd: true };
    }
    case 'response.failed': {
      const errorMessage = describeError(valueAt(event, 'response', 'error'));
      return { usage: valueAt(event, 'response', 'usage'), errorMessage };
    }
    case 'error':
      return { errorMessage: describeError(valueAt(event, 'error') ?? event) };
    default:
      return {};
  }
}

function readMessageEvent(event: unknown): StreamPart {
  switch (valueAt(event, 'type')) {
    case 'message_start':
      return { usage: valueAt(event, 'message', 'usage') };
    case 'content_block_delta':
      return { text: textAt(event, 'delta', 'text') };
    case 'message_delta':
      return { usage: valueAt(event, 'usage'), isCutOff: valueAt(event, 'delta', 'stop_reason') === 'max_tokens' };
    case 'message_stop':
      return { isEnd: true };
    case 'error':
      return { errorMessage: describeError(valueAt(event, 'error')) };
    default:
      return {};
  }
}

function describeError(error: unknown): string {
  return textAt(error, 'message') || 'The model stopped with an error.';
}
