import fc from 'fast-check';
import { fitsFairShare } from './fair-share.js';

/** Lets holders take one unit in turn until no one gets another. Returns the amount that each of them holds. */
function fill(limit: number, holders: number): number[] {
  const held = Array.from({ length: holders }, () => 0);
  for (let isFull = false; !isFull;) {
    isFull = true;
    for (const holder of held.keys()) {
      const used = held.reduce((sum, amount) => sum + amount, 0);
      if (!fitsFairShare({ limit, used, held: held[holder] ?? 0, wanted: 1 })) continue;
      held[holder] = (held[holder] ?? 0) + 1;
      isFull = false;
    }
  }
  return held;
}

describe('fitsFairShare', () => {
  it.each([
    [1, 75],
    [2, 42],
    [5, 18],
  ])('should let each of %i busy holders have about %i of 100', (holders, share) => {
    for (const amount of fill(100, holders)) expect(Math.abs(amount - share)).toBeLessThanOrEqual(1);
  });

  it('should always leave room for a new holder, and never exceed the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 500 }), fc.integer({ min: 1, max: 4 }), (limit, holders) => {
        const used = fill(limit, holders).reduce((sum, amount) => sum + amount, 0);
        expect(used).toBeLessThan(limit);
        expect(fitsFairShare({ limit, used, held: 0, wanted: 1 })).toBe(true);
      }),
    );
  });

  it('should let the first holder use a capacity of one', () => {
    expect(fitsFairShare({ limit: 1, used: 0, held: 0, wanted: 1 })).toBe(true);
    expect(fitsFairShare({ limit: 1, used: 1, held: 0, wanted: 1 })).toBe(false);
  });
});
