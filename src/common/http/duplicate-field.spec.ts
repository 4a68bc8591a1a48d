import fc from 'fast-check';
import { findDuplicateField } from './duplicate-field.js';

describe('findDuplicateField', () => {
  it.each([
    ['', '{}'],
    ['a', '{"a":1,"a":1}'],
    ['a', '{"a":{"b":1},"b":2,"\\u0061" \n:3}'],
    ['a.1.b', '{"a":[{"b":[0,0]},{"b":"}","b":0}]}'],
    ['1.b', '[[{"b":0}],{"b":{"b":[]},"b":0}]'],
  ])('should find %j in %s', (path, json) => {
    expect(findDuplicateField(json) ?? '').toBe(path);
  });

  it('should find nothing in what JSON.stringify writes, and the field that is repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.boolean(), (value, isIndented) => {
        const json = JSON.stringify(value, undefined, isIndented ? 2 : 0);
        expect(findDuplicateField(json)).toBeUndefined();
        const [name = ''] = Object.keys(value);
        expect(findDuplicateField(`${json.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(name);
      }),
    );
  });

  it('should take time proportional to the length', () => {
    const begin = performance.now();
    for (const part of ['[', '{"a":', '"\\\\\\"', '"a" ']) findDuplicateField(part.repeat(100_000 / part.length));
    expect(performance.now() - begin).toBeLessThan(1000);
  });
});
