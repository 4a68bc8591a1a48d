import fc from 'fast-check';
import { EmbeddingsRequestReader } from './embeddings-request-reader.js';

/** Reads a text in pieces of these sizes, in rotation. */
function read(text: string, sizes: readonly number[] = [Infinity]) {
  const reader = new EmbeddingsRequestReader();
  const bytes = Buffer.from(text);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    reader.push(bytes.subarray(at, at + size));
    at += size;
  }
  return reader.end();
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.trim() !== '');
const body = fc.record(
  {
    model: text,
    input: fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 5 })),
    encoding_format: fc.constantFrom('float', 'base64'),
    output_dimension: fc.option(fc.integer({ min: 1, max: 1e9 })),
    output_dtype: fc.constant('float'),
    user: fc.string(),
    metadata: fc.option(fc.dictionary(fc.string(), fc.jsonValue())),
  },
  { requiredKeys: ['model', 'input'], noNullPrototype: true },
);

describe('EmbeddingsRequestReader', () => {
  it('should read what JSON.parse reads, wherever the body is split', () => {
    fc.assert(
      fc.property(body, fc.boolean(), sizes, (fields, hasEscapes, pieces) => {
        const json = JSON.stringify(fields, undefined, hasEscapes ? 1 : 0);
        expect(read(hasEscapes ? json.replaceAll('o', '\\u006f') : json, pieces)).toEqual({
          model: fields.model,
          texts: [fields.input].flat(),
          encodingFormat: fields.encoding_format ?? 'float',
          dimensions: fields.output_dimension ?? undefined,
        });
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['an unknown field', '{"k0":', { field: 'k0' }],
    ['a forbidden field', '{"__proto__":', { field: '__proto__' }],
    ['an escaped forbidden field', '{"\\u005f_proto__":', { field: '__proto__' }],
    ['a repeated field', '{"input":"a","input"', { field: 'input' }],
    ['too many texts', `{"input":[${'"a",'.repeat(2048)}"`, { field: 'input' }],
    ['token ids', '{"input":[1', { field: 'input' }],
    ['arrays of token ids', '{"input":[[', { field: 'input' }],
    ['an object among the texts', '{"input":["a",{', { field: 'input' }],
    ['null among the texts', '{"input":["a",n', { field: 'input' }],
    ['an object as user', '{"user":{', { field: 'user' }],
    ['an array as dimensions', '{"dimensions":[', { field: 'dimensions' }],
    ['an array as metadata', '{"metadata":[', { field: 'metadata' }],
  ])('should reject %s before reading more', (_title, start, field) => {
    const reader = new EmbeddingsRequestReader();
    let failure: unknown;
    try {
      reader.push(Buffer.from(start));
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ status: 400, fields: [field] });
  });

  it.each([
    ['a number', '{"dimensions":1'],
    ['a fraction', '{"dimensions":1.'],
  ])('should reject %s of thousands of digits before reading all of them', (_title, start) => {
    expect(() => read(start + '0'.repeat(10_000), [64])).toThrow('too long');
  });

  it.each(['', '[]', '{"input":"a"', '{"input":"a"}}', '{"input":"\\x"}', "{'input':'a'}", '{"input":tru }'])(
    'should reject %j, which is not a JSON object',
    (json) => expect(() => read(json, [1])).toThrow(),
  );
});
