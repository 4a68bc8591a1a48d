import { partOf } from './instance-share.js';

const partsOf = (total: number, count: number, min?: number) =>
  Array.from({ length: count }, (_, index) => partOf(total, { index, count }, min));

describe('partOf', () => {
  it.each([
    [10_000, 3, [3334, 3333, 3333]],
    [4, 2, [2, 2]],
    [10, 4, [3, 3, 2, 2]],
  ])('should divide %i among %i instances without a rest', (total, count, parts) => {
    expect(partsOf(total, count)).toEqual(parts);
  });

  it('should give each instance the minimum, even if all of them together then exceed the limit', () => {
    expect(partsOf(2, 4)).toEqual([1, 1, 1, 1]);
    expect(partsOf(1000, 4, 300)).toEqual([300, 300, 300, 300]);
  });

  it('should leave the whole limit to a single process', () => {
    expect(partOf(10, undefined, 20)).toBe(10);
  });
});
