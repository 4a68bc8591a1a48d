import fc from 'fast-check';
import { fitsFairShare } from './fair-share.js';

/** Lets owners take one unit after the other, round by round, until none gets any more. */
function fill(limit: number, owners: number): number[] {
  const held = Array.from({ length: owners }, () => 0);
  for (let isFull = false; !isFull;) {
    isFull = true;
    for (const owner of held.keys()) {
      const used = held.reduce((sum, part) => sum + part, 0);
      if (!fitsFairShare({ limit, used, held: held[owner] ?? 0, wanted: 1 })) continue;
      held[owner] = (held[owner] ?? 0) + 1;
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
  ])('should let %i busy owners hold about %i of 100 each', (owners, share) => {
    const held = fill(100, owners);
    for (const part of held) expect(Math.abs(part - share)).toBeLessThanOrEqual(1);
  });

  it('should always leave room for an owner that holds nothing, and never exceed the limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 500 }), fc.integer({ min: 1, max: 4 }), (limit, owners) => {
        const used = fill(limit, owners).reduce((sum, part) => sum + part, 0);
        expect(used).toBeLessThan(limit);
        expect(fitsFairShare({ limit, used, held: 0, wanted: 1 })).toBe(true);
      }),
    );
  });

  it('should let the first owner use a capacity of one', () => {
    expect(fitsFairShare({ limit: 1, used: 0, held: 0, wanted: 1 })).toBe(true);
    expect(fitsFairShare({ limit: 1, used: 1, held: 0, wanted: 1 })).toBe(false);
  });
});
