import fc from 'fast-check';
import { JsonStringDecoder } from './json-string-decoder.js';

/** Decodes the inside of a JSON string in pieces of these sizes, repeated. */
function decode(inside: string, sizes: readonly number[]): string {
  const decoder = new JsonStringDecoder();
  const bytes = Buffer.from(inside);
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    decoder.push(bytes.subarray(at, at + size));
    at += size;
  }
  return decoder.end();
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const character = fc.constantFrom(
  'a',
  '\\\\',
  '\\"',
  '\\n',
  '\\/',
  '\\u00e9',
  '\\uD83D\\uDE00',
  '\\ud83d',
  '語',
  '😀',
  'u',
);

describe('JsonStringDecoder', () => {
  it('should decode what JSON.parse decodes, wherever the text is split', () => {
    fc.assert(
      fc.property(
        fc.array(character).map((characters) => characters.join('')),
        sizes,
        (inside, pieces) => {
          expect(decode(inside, pieces)).toBe(JSON.parse(`"${inside}"`));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['\\x', '\\u00g0', '\\', '\\u12', '\n'])('should reject %j', (inside) => {
    for (const size of [1, 2, 100]) expect(() => decode(inside, [size])).toThrow('is not valid JSON');
  });
});
