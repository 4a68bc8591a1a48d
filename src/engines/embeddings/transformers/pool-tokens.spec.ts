import fc from 'fast-check';
import { poolings } from './options.js';
import { poolTokens } from './pool-tokens.js';

/** Windows of two tokens and of one; the 9s are padding. */
const tokens = { values: [1, 2, 3, 6, 5, 0, 9, 9], width: 2, dimensions: 2, lengths: [2, 1] };

describe('poolTokens', () => {
  it.each([
    ['mean', [2, 4, 5, 0]],
    ['cls', [1, 2, 5, 0]],
    ['last_token', [3, 6, 5, 0]],
  ] as const)('should ignore padding in %s pooling', (pooling, expected) => {
    expect([...poolTokens(tokens, { pooling, normalize: false })]).toEqual(expected);
  });

  it('should scale every non-zero vector to length 1 if normalize is set', () => {
    const value = fc.float({ noNaN: true, min: -1e6, max: 1e6 });
    fc.assert(
      fc.property(
        fc.constantFrom(...poolings),
        fc.array(value, { minLength: 12, maxLength: 12 }),
        (pooling, values) => {
          const threeDimensional = { values, width: 2, dimensions: 3, lengths: [2, 1] };
          const unscaled = poolTokens(threeDimensional, { pooling, normalize: false });
          const scaled = poolTokens(threeDimensional, { pooling, normalize: true });
          for (const row of [0, 3]) {
            const length = Math.hypot(...unscaled.subarray(row, row + 3));
            expect(Math.hypot(...scaled.subarray(row, row + 3))).toBeCloseTo(length > 0 ? 1 : 0, 5);
          }
        },
      ),
    );
  });
});
