import type { GenerationRoute } from '@rules/tasks.js';
import { addEvent, type ChatResponse, emptyResponse, tokensOf, tokensPerSecond } from './chat-response.js';

/** Reads events that arrive 100 ms apart. */
function read(route: GenerationRoute, ...events: unknown[]): ChatResponse {
  return events.reduce<ChatResponse>((response, event, index) => {
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    return addEvent(response, { route, data, milliseconds: (index + 1) * 100 });
  }, emptyResponse);
}

const delta = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });

describe('addEvent', () => {
  it('should ignore events without choices, such as the first one of Azure, and unknown ones', () => {
    const response = read(
      'chat/completions',
      { choices: [], prompt_filter_results: [] },
      'not JSON',
      { choices: 7 },
      'null',
    );
    expect(response).toEqual({ ...emptyResponse, firstTextMilliseconds: undefined });
  });

  it('should note when the first text and the end arrived', () => {
    const role = { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] };
    const response = read('chat/completions', role, delta('Hel'), delta('lo'), '[DONE]');
    expect(response).toMatchObject({
      text: 'Hello',
      status: 'complete',
      firstTextMilliseconds: 200,
      milliseconds: 400,
    });
  });

  it('should keep amounts that a later event reports as null, and replace others', () => {
    const start = {
      type: 'message_start',
      message: { usage: { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 } },
    };
    const end = { type: 'message_delta', delta: {}, usage: { input_tokens: null, output_tokens: 20 } };
    const response = read('messages', start, end, { type: 'message_stop' });
    expect(tokensOf('messages', response)).toMatchObject({ input: 8, cachedInput: 3, output: 20 });
  });

  it.each<[GenerationRoute, object, string]>([
    ['chat/completions', { error: { message: 'No.', type: 'server_error' } }, 'No.'],
    ['completions', { error: 'overloaded' }, 'The model stopped with an error.'],
    ['responses', { type: 'response.failed', response: { error: { code: 'x', message: 'No.' } } }, 'No.'],
    ['responses', { type: 'error', message: 'No.', sequence_number: 3 }, 'No.'],
    ['messages', { type: 'error', error: { type: 'overloaded_error', message: 'No.' } }, 'No.'],
  ])('should throw the error of an event of %s', (route, event, message) => {
    expect(() => read(route, event)).toThrow(message);
  });

  it('should not take text of Anthropic about thinking for the response', () => {
    const thinking = { type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'Hm.' } };
    const text = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'Yes.' } };
    expect(read('messages', thinking, text)).toMatchObject({ text: 'Yes.', firstTextMilliseconds: 200 });
  });
});

describe('tokensPerSecond', () => {
  const timed = { ...emptyResponse, firstTextMilliseconds: 500, milliseconds: 1500 };

  it('should count neither the first token nor the reasoning before it', () => {
    expect(tokensPerSecond(timed, { output: 31, reasoning: 10 })).toBe(20);
  });

  it('should be unknown without tokens or time', () => {
    expect(tokensPerSecond(timed, {})).toBeUndefined();
    expect(tokensPerSecond({ ...timed, milliseconds: 500 }, { output: 31 })).toBeUndefined();
    expect(tokensPerSecond(emptyResponse, { output: 31 })).toBeUndefined();
  });
});
