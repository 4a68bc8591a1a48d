import { parseJsonSafely } from './parse-json.js';

describe('parseJsonSafely', () => {
  it.each([
    '{"a":[1,"x",null]}',
    '{"constructor":"the text"}',
    '"caf\\u00e9"',
    '{"prototype":{}}',
    '{"a":"__proto__"}',
  ])('should parse %s as JSON.parse does', (text) => {
    expect(parseJsonSafely(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":[{"__proto__":null}]}',
    '{"\\u005f_proto__":{}}',
    '{"constructor":{"prototype":{}}}',
    '{"a":',
  ])('should refuse %s', (text) => {
    expect(() => parseJsonSafely(text)).toThrow(SyntaxError);
  });
});
