import { measureSharpness, prepareImage } from './prepare-image.js';
import { type Raster, toRaster, toSharp } from './raster.js';

const [width, height] = [400, 300];

/** @param levelAt returns the gray level of a pixel */
function draw(levelAt: (x: number, y: number) => number): Raster {
  const pixels = Buffer.from(
    Array.from({ length: width * height }, (_, i) => levelAt(i % width, Math.floor(i / width))),
  );
  return { pixels, width, height, dpi: 200 };
}

/** Lines of vertical strokes, like letters. */
const isInk = (x: number, y: number) => y % 30 < 12 && x % 10 < 3;

describe('prepareImage', () => {
  it('should return a clean page unchanged', async () => {
    const page = draw((x, y) => (isInk(x, y) ? 0 : 255));
    expect(await prepareImage(page)).toBe(page);
  });

  it('should turn gray paper white and faded ink black', async () => {
    const { pixels } = await prepareImage(draw((x, y) => (isInk(x, y) ? 140 : 170)));
    expect(new Set(pixels)).toEqual(new Set([0, 255]));
  });

  it('should turn paper white under a shadow', async () => {
    const { pixels } = await prepareImage(draw((x, y) => (isInk(x, y) ? 20 : 240) * (1 - (0.6 * x) / width)));
    const paper = [...pixels].filter((_, i) => !isInk(i % width, Math.floor(i / width)));
    expect(paper.filter((level) => level < 200)).toEqual([]);
  });

  it('should keep a blank gray page blank', async () => {
    const { pixels } = await prepareImage(draw((x, y) => 180 + ((x * 7 + y * 13) % 5)));
    expect(Math.min(...pixels)).toBeGreaterThan(240);
  });

  it('should remove a line through text, but not the letters it crosses', async () => {
    const { pixels } = await prepareImage(draw((x, y) => (isInk(x, y) || (y >= 36 && y < 39) ? 0 : 255)));
    const row = [...pixels.subarray(37 * width, 38 * width)];
    expect(row).toEqual(row.map((_, x) => (isInk(x, 37) ? 0 : 255)));
  });

  it('should keep a line below text', async () => {
    const page = draw((x, y) => (isInk(x, y) || (y >= 48 && y < 51) ? 0 : 255));
    expect(await prepareImage(page)).toBe(page);
  });

  it('should sharpen a blurred page', async () => {
    const page = draw((x, y) => (isInk(x, y) ? 0 : 255));
    const blurred = await toRaster(toSharp(page).blur(1.5), page.dpi);
    expect(measureSharpness(await prepareImage(blurred))).toBeGreaterThan(1.3 * measureSharpness(blurred));
  });

  it('should invert light text in a dark rectangle only', async () => {
    const isDark = (x: number, y: number) => x >= 40 && x < 360 && y >= 80 && y < 144;
    const page = draw((x, y) =>
      isDark(x, y) === isInk(x, y) && y < 200 ? 255 : isDark(x, y) || isInk(x, y) ? 0 : 255,
    );
    const { pixels } = await prepareImage(page);
    expect(pixels[100 * width + 200]).toBe(isInk(200, 100) ? 0 : 255);
    expect(pixels[105 * width + 200]).toBe(isInk(200, 105) ? 0 : 255);
    expect(pixels[35 * width + 200]).toBe(page.pixels[35 * width + 200]);
  });
});
