import fc from 'fast-check';
import { poolings } from '../../../config/model-definition.js';
import { poolTokens } from './pool-tokens.js';

/** Two windows, of 2 tokens and of 1; the 9s are padding. */
const tokens = { values: [1, 2, 3, 6, 5, 0, 9, 9], width: 2, dimensions: 2, lengths: [2, 1] };

describe('poolTokens', () => {
  it.each([
    ['mean', [2, 4, 5, 0]],
    ['cls', [1, 2, 5, 0]],
    ['last_token', [3, 6, 5, 0]],
  ] as const)('should leave padding out of %s', (pooling, expected) => {
    expect([...poolTokens(tokens, { pooling, normalize: false })]).toEqual(expected);
  });

  it('should give every vector that has a direction the length 1', () => {
    const value = fc.float({ noNaN: true, min: -1e6, max: 1e6 });
    fc.assert(
      fc.property(
        fc.constantFrom(...poolings),
        fc.array(value, { minLength: 12, maxLength: 12 }),
        (pooling, values) => {
          const three = { values, width: 2, dimensions: 3, lengths: [2, 1] };
          const plain = poolTokens(three, { pooling, normalize: false });
          const scaled = poolTokens(three, { pooling, normalize: true });
          for (const row of [0, 3]) {
            const length = Math.hypot(...plain.subarray(row, row + 3));
            expect(Math.hypot(...scaled.subarray(row, row + 3))).toBeCloseTo(length > 0 ? 1 : 0, 5);
          }
        },
      ),
    );
  });
});
