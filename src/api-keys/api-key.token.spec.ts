import fc from 'fast-check';
import { generateApiKey, hashApiKey, hintOfApiKey, isWellFormedApiKey } from './api-key.token.js';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const anyKey = fc.constant(null).map(generateApiKey);

describe('An API key', () => {
  it('should have the documented format', () => {
    fc.assert(fc.property(anyKey, (key) => /^kc_[0-9A-Za-z]{46}$/.test(key) && isWellFormedApiKey(key)));
  });

  it('should be rejected if any character is changed', () => {
    const change = fc.tuple(anyKey, fc.nat(48), fc.constantFrom(...alphabet, '_', '-', ' ', 'é', '\0'));
    fc.assert(
      fc.property(change, ([key, position, character]) => {
        fc.pre(key.charAt(position) !== character);
        return !isWellFormedApiKey(key.slice(0, position) + character + key.slice(position + 1));
      }),
      { numRuns: 2000 },
    );
  });

  it('should be rejected if characters are missing, added or swapped', () => {
    fc.assert(
      fc.property(anyKey, fc.integer({ min: 3, max: 47 }), (key, position) => {
        const [first = '', second = ''] = key.slice(position, position + 2);
        const start = key.slice(0, position);
        const end = key.slice(position + 2);
        expect(isWellFormedApiKey(start + second + end)).toBe(false);
        expect(isWellFormedApiKey(start + first + first + second + end)).toBe(false);
        expect(isWellFormedApiKey(start + second + first + end)).toBe(first === second);
      }),
    );
  });

  it('should not be confused with any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedApiKey(text)));
    fc.assert(fc.property(fc.string({ minLength: 46, maxLength: 46 }), (text) => !isWellFormedApiKey(`kc_${text}`)));
  });

  it('should have a checksum computed by CRC-32 and base62', () => {
    // CRC-32 of "kc_" and 40 zeros is 831,577,256, which is 0uHDEO in base62: computed with Python's zlib.
    expect(isWellFormedApiKey(`kc_${'0'.repeat(40)}0uHDEO`)).toBe(true);
  });

  it('should use all characters of the alphabet about equally often', () => {
    const counts = new Map<string, number>();
    for (let key = 0; key < 1000; key++) {
      for (const character of generateApiKey().slice(3, 43)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 40,000 draws of 62: mean 645, standard deviation 25. The limit of 200 is eight standard deviations.
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 645)).toBeLessThan(200);
  });

  it('should have a hint of 8 characters and a hash of 32 bytes', () => {
    const key = generateApiKey();
    expect(hintOfApiKey(key)).toBe(key.slice(0, 8));
    expect(hashApiKey(key)).toHaveLength(32);
    expect(hashApiKey(key)).not.toEqual(hashApiKey(generateApiKey()));
  });
});
