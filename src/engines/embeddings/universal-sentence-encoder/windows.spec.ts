import fc from 'fast-check';
import { DIMENSIONS, WINDOW_TOKENS } from './model-shape.js';
import { joinWindows, splitIntoWindows } from './windows.js';

function axis(dimension: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, index) => (index === dimension ? 1 : 0));
}

describe('splitIntoWindows', () => {
  it('should lose no token, exceed no window and balance their sizes', () => {
    fc.assert(
      fc.property(fc.nat(8192), (length) => {
        const tokenIds = Uint16Array.from({ length }, (_, index) => index);
        const windows = splitIntoWindows(tokenIds);
        const sizes = windows.map((window) => window.length);
        expect(windows.flatMap((window) => [...window])).toEqual([...tokenIds]);
        expect(windows).toHaveLength(Math.ceil(length / WINDOW_TOKENS));
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(WINDOW_TOKENS);
        expect(Math.max(0, ...sizes) - Math.min(...sizes, WINDOW_TOKENS)).toBeLessThanOrEqual(length < 128 ? 128 : 1);
      }),
    );
  });
});

describe('joinWindows', () => {
  it('should leave the vector of a single window alone', () => {
    const vector = axis(3);
    expect(joinWindows([new Uint16Array(5)], [vector])).toBe(vector);
  });

  it('should weight windows by their tokens and bring the mean to length 1', () => {
    const joined = joinWindows([new Uint16Array(4), new Uint16Array(3)], [axis(0), axis(1)]);
    expect(joined[0]).toBeCloseTo(0.8, 6);
    expect(joined[1]).toBeCloseTo(0.6, 6);
    expect(Math.hypot(...joined)).toBeCloseTo(1, 6);
  });

  it('should give zeros for no window and for windows that cancel out', () => {
    const opposite = axis(0).map((value) => -value);
    expect(joinWindows([], [])).toEqual(new Float32Array(DIMENSIONS));
    expect(joinWindows([new Uint16Array(2), new Uint16Array(2)], [axis(0), opposite])).toEqual(
      new Float32Array(DIMENSIONS),
    );
  });
});
