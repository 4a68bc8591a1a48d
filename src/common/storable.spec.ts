import fc from 'fast-check';
import { isCount, toStorableText } from './storable.js';

describe('isCount', () => {
  it.each([0, 1, 2 ** 31 - 1])('should take %d', (value) => {
    expect(isCount(value)).toBe(true);
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 31, 2 ** 53, '1', null, undefined, [1], 1n])('should not take %p', (value) => {
    expect(isCount(value)).toBe(false);
  });
});

describe('toStorableText', () => {
  it.each([
    ['\0b', '\ufffdb'],
    ['\ud800', '\ufffd'],
    ['\udc00\ud800', '\ufffd\ufffd'],
    ['👍', '👍'],
    ['a👍', 'a\ufffd'],
  ])('should write %j as %j', (text, storable) => {
    expect(toStorableText(text, 2)).toBe(storable);
  });

  it('should only return text that UTF-8 can write, without NUL', () => {
    const property = fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 20 }), (text, length) => {
      const storable = toStorableText(text, length);
      expect(storable.length).toBeLessThanOrEqual(length);
      expect(Buffer.from(storable).toString()).toBe(storable);
      expect(storable).not.toContain('\0');
    });
    fc.assert(property);
  });
});
