import fc from 'fast-check';
import { dimensions, maxWindowTokens } from './model-shape.js';
import { joinWindows, splitIntoWindows } from './windows.js';

function unitVector(axis: number): Float32Array {
  return Float32Array.from({ length: dimensions }, (_, dimension) => (dimension === axis ? 1 : 0));
}

describe('splitIntoWindows', () => {
  it('should keep every token, and use as few windows of equal size as possible', () => {
    fc.assert(
      fc.property(fc.nat(8192), (length) => {
        const tokenIds = Uint16Array.from({ length }, (_, index) => index);
        const windows = splitIntoWindows(tokenIds);
        const sizes = windows.map((window) => window.length);
        expect(windows.flatMap((window) => [...window])).toEqual([...tokenIds]);
        expect(windows).toHaveLength(Math.ceil(length / maxWindowTokens));
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(maxWindowTokens);
        expect(Math.max(0, ...sizes) - Math.min(...sizes, maxWindowTokens)).toBeLessThanOrEqual(length < 128 ? 128 : 1);
      }),
    );
  });
});

describe('joinWindows', () => {
  it('should return the vector of a single window unchanged', () => {
    const vector = unitVector(3);
    expect(joinWindows([new Uint16Array(5)], [vector])).toBe(vector);
  });

  it('should return the mean, weighted by tokens and scaled to length 1', () => {
    const joined = joinWindows([new Uint16Array(4), new Uint16Array(3)], [unitVector(0), unitVector(1)]);
    expect(joined[0]).toBeCloseTo(0.8, 6);
    expect(joined[1]).toBeCloseTo(0.6, 6);
    expect(Math.hypot(...joined)).toBeCloseTo(1, 6);
  });

  it('should return zeros without windows, and for windows that cancel out', () => {
    const opposite = unitVector(0).map((value) => -value);
    expect(joinWindows([], [])).toEqual(new Float32Array(dimensions));
    expect(joinWindows([new Uint16Array(2), new Uint16Array(2)], [unitVector(0), opposite])).toEqual(
      new Float32Array(dimensions),
    );
  });
});
