import fc from 'fast-check';
import { type JsonField, JsonScanner } from './json-scanner.js';

const wanted = new Set(['model', 'usage.total_tokens']);

/** Scans a text in pieces of these sizes, in rotation. */
function scan(text: string | Buffer, sizes: number[] = [Infinity]): JsonField[] {
  const fields: JsonField[] = [];
  const scanner = new JsonScanner(wanted, (field) => fields.push(field));
  const bytes = Buffer.from(text);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    scanner.push(bytes.subarray(at, at + size));
    at += size;
  }
  scanner.end();
  return fields;
}

const accepts = (read: () => unknown) => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const name = fc.oneof(
  fc.constantFrom('model', 'usage', 'total_tokens', 'Model', 'data'),
  fc.string({ unit: 'binary' }),
);
const json = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  object: fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
})).object;

/** JSON with and without spaces and unnecessary escapes. */
const written = fc.tuple(json, fc.constantFrom(0, 1, '\t'), fc.boolean()).map(([value, indent, escapes]) => {
  const text = JSON.stringify(value, undefined, indent);
  return escapes ? text.replaceAll('o', '\\u006f').replaceAll('/', '\\/') : text;
});

describe('JsonScanner', () => {
  it('should find the values that JSON.parse finds, wherever the text is split', () => {
    fc.assert(
      fc.property(written, sizes, (text, pieces) => {
        const value = JSON.parse(text) as { model?: unknown; usage?: { total_tokens?: unknown } | null };
        const fields = scan(text, pieces);
        for (const { path, value: found, start, end } of fields) {
          if (found !== undefined) expect(JSON.parse(Buffer.from(text).subarray(start, end).toString())).toEqual(found);
          if (path === 'model' && typeof value.model !== 'object') expect(found).toEqual(value.model);
        }
        const paths = fields.map(({ path }) => path);
        expect(paths.includes('model')).toBe(Object.hasOwn(value, 'model'));
        expect(paths.includes('Model')).toBe(Object.hasOwn(value, 'Model'));
        const { usage } = value;
        const isObject = typeof usage === 'object' && usage !== null && !Array.isArray(usage);
        expect(paths.includes('usage.total_tokens')).toBe(isObject && Object.hasOwn(usage, 'total_tokens'));
      }),
      { numRuns: 2000 },
    );
  });

  it('should accept damaged JSON exactly if JSON.parse accepts it as an object', () => {
    const scalar = fc.oneof(fc.constantFrom('a', 'model', ''), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const plain = fc.dictionary(fc.constantFrom('model', 'b'), fc.oneof(scalar, fc.array(scalar), fc.constant(null)));
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.integer({ min: 0, max: 2 }),
      insert: fc.string({ unit: fc.constantFrom(...'{}[]:,"0123.eE+- \ntruefalsn'), maxLength: 2 }),
    });
    fc.assert(
      fc.property(plain, fc.array(edit, { maxLength: 2 }), sizes, (value, edits, pieces) => {
        let text = JSON.stringify(value);
        for (const { at, remove, insert } of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + insert + text.slice(place + remove);
        }
        // The content of strings is not checked, so line breaks in it are accepted.
        fc.pre(!/"[^"]*\n[^"]*"/.test(text));
        const isObject = accepts(() => {
          const parsed: unknown = JSON.parse(text);
          if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('no object');
        });
        expect([text, accepts(() => scan(text, pieces))]).toEqual([text, isObject]);
      }),
      { numRuns: 5000 },
    );
  });

  it('should report duplicate, differently-cased and escaped keys of a field', () => {
    const text = '{"model":"a","input":{"model":"b"},"mod\\u0065l":"c","MODEL":7,"list":[{"model":"d"}],"model":[]}';
    expect(scan(text, [1]).map(({ path, value }) => [path, value])).toEqual([
      ['model', 'a'],
      ['model', 'c'],
      ['MODEL', 7],
      ['model', undefined],
    ]);
  });

  it('should report how much of the text belongs to no open field', () => {
    const scanner = new JsonScanner(wanted, () => undefined);
    scanner.push(Buffer.from('{"input":"abc'));
    expect(scanner.settledBytes).toBe(13);
    scanner.push(Buffer.from('","model":"te'));
    expect(scanner.settledBytes).toBe(23);
    scanner.push(Buffer.from('xt"'));
    expect(scanner.settledBytes).toBe(29);
  });

  it.each([
    ['is not a JSON object', ''],
    ['is not a JSON object', '[]'],
    ['is not a JSON object', 'null'],
    ['is not a JSON object', '<html>'],
    ['is not valid JSON: it is cut off', '{"model":"a"'],
    ['is not valid JSON', '{"model":"a"}}'],
    ['is not valid JSON', "{'model':'a'}"],
    ['is not valid JSON', '{"model":"a"/**/}'],
    ['is not valid JSON', '{"model":"\\x"}'],
    ['is nested too deeply', '{"a":'.repeat(2000)],
    ['has a key or a name that is too long', `{"model":"${'x'.repeat(20_000)}"}`],
  ])('should reject text that %s (%#)', (message, text) => {
    expect(() => scan(text, [7])).toThrow(message);
  });

  it('should reject a key that is not UTF-8, because parsers would disagree on it', () => {
    expect(() => scan(Buffer.from('{"mod\xffel":1}', 'latin1'))).toThrow('is not valid UTF-8');
  });
});
