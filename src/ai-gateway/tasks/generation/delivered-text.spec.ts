import { countText } from './delivered-text.js';

const count = (json: string, key: string) => countText(Buffer.from(json), Buffer.from(`"${key}"`));

describe('countText', () => {
  it.each([
    ['a text', '{"delta":"Hello"}', 5],
    ['the content of a delta, without its role', '{"delta": {"role":"assistant","content":"Hi"},"x":"no"}', 2],
    ['escapes as the bytes that they take', String.raw`{"delta":{"content":"\"\u00fc\\"}}`, 10],
    ['all choices', '{"choices":[{"delta":{"content":"ab"}},{"delta":{"content":"cde"}}]}', 5],
    [
      'names and arguments of tools',
      '{"delta":{"tool_calls":[{"id":"call_1","function":{"name":"f","arguments":"{}"}}]}}',
      3,
    ],
    ['nothing without text', '{"delta":{},"usage":null}', 0],
    ['nothing of null', '{"delta":null,"content":"no"}', 0],
    ['a key in a text as text', String.raw`{"delta":{"content":"\"delta\":\"x\""}}`, 15],
    ['what there is of a cut event', '{"delta":{"content":"abc', 3],
  ])('should count %s', (_title, json, bytes) => {
    expect(count(json, 'delta')).toBe(bytes);
  });
});
