import { mapSquareTo } from './perspective.js';
import type { Corners } from './quadrilateral.js';
import { correctPerspective } from './sheet.js';
import type { Raster } from '../image/raster.js';

const [width, height] = [300, 400];

/** @param levelAt returns the gray level at a position from 0 to 1 */
function draw(levelAt: (x: number, y: number) => number): Raster {
  const pixels = Buffer.alloc(width * height);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = levelAt((i % width) / width, Math.floor(i / width) / height);
  return { pixels, width, height, dpi: 200 };
}

const isBetween = (value: number, min: number, max: number) => value > min && value < max;
/** Lines of words. */
const isInk = (x: number, y: number) => (y * 40) % 1 < 0.4 && (x * 12) % 1 < 0.7;
const pageLevel = (x: number, y: number) =>
  isBetween(x, 0.1, 0.9) && isBetween(y, 0.1, 0.9) && isInk(x, y) ? 20 : 240;

/** Draws a page on a table, seen in perspective. */
function photograph(corners: Corners, tableLevel: (x: number, y: number) => number, page = pageLevel): Raster {
  const [a, b, c, d, e, f, g, h] = mapSquareTo(corners);
  const photo = draw(tableLevel);
  // Twice the photo's resolution, so that the sheet covers each of its pixels.
  for (let v = 0; v < 1; v += 0.5 / height) {
    for (let u = 0; u < 1; u += 0.5 / width) {
      const weight = g * u + h * v + 1;
      const [x, y] = [(a * u + b * v + c) / weight, (d * u + e * v + f) / weight];
      photo.pixels[Math.floor(y * height) * width + Math.floor(x * width)] = page(u, v);
    }
  }
  return photo;
}

const tilted: Corners = [
  [0.2, 0.1],
  [0.75, 0.06],
  [0.93, 0.9],
  [0.05, 0.94],
];
const rotated: Corners = [
  [0.25, 0.05],
  [0.95, 0.2],
  [0.78, 0.95],
  [0.08, 0.8],
];

/** Returns the level at a position of the sheet, from 0 to 1. */
function levelAt({ pixels, width: columns, height: rows }: Raster, x: number, y: number): number {
  return pixels[Math.floor(y * rows) * columns + Math.floor(x * columns)] ?? 0;
}

describe('correctPerspective', () => {
  it.each<[string, Corners, (x: number, y: number) => number]>([
    ['seen from below', tilted, () => 60],
    ['rotated on the table', rotated, () => 60],
    ['on a grained table', tilted, (x) => 90 + 30 * Math.sin(x * 40)],
    ['with an uneven light', tilted, (x, y) => 170 - 120 * x * y],
  ])('should return a sheet %s as if seen from above', async (_, corners, table) => {
    const marks: readonly (readonly [number, number])[] = [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.9, 0.9],
      [0.1, 0.9],
      [0.5, 0.5],
    ];
    const page = (u: number, v: number) =>
      marks.some(([x, y]) => Math.abs(u - x) < 0.02 && Math.abs(v - y) < 0.02) ? 20 : 240;
    const corrected = await correctPerspective(photograph(corners, table, page));
    for (const [x, y] of marks) expect(levelAt(corrected, x, y)).toBeLessThan(100);
    for (const x of [0.01, 0.3, 0.7, 0.99]) {
      for (const y of [0.01, 0.3, 0.7, 0.99]) expect(levelAt(corrected, x, y)).toBeGreaterThan(200);
    }
  });

  const isFrame = (x: number, y: number) => !isBetween(x, 0.03, 0.97) || !isBetween(y, 0.03, 0.97);
  it.each<[string, Raster]>([
    ['a clean page', draw(pageLevel)],
    ['a page with a large dark photo', draw((x, y) => (isBetween(y, 0.2, 0.8) ? 40 + 60 * x : pageLevel(x, y)))],
    ['a page that is a dark photo at the top', draw((x, y) => (y < 0.6 ? 30 : pageLevel(x, y)))],
    ['a page with a black frame', draw((x, y) => (isFrame(x, y) ? 0 : pageLevel(x, y)))],
    ['a page with a table', draw((x, y) => ((x * 5) % 1 < 0.02 || (y * 20) % 1 < 0.05 ? 0 : 250))],
    ['light text on a dark page', draw((x, y) => 255 - pageLevel(x, y))],
    [
      'a slide with a light card',
      draw((x, y) => (isBetween(x, 0.2, 0.8) && isBetween(y, 0.4, 0.9) ? pageLevel(x, y) : 255 - pageLevel(x, y))),
    ],
    ['a poster with text around a tilted card', photograph(rotated, (x, y) => (isInk(x, y) ? 250 : 30))],
    ['a page under a shadow', draw((x, y) => pageLevel(x, y) * (1 - 0.7 * x * y))],
  ])('should return %s unchanged', async (_, image) => {
    expect(await correctPerspective(image)).toBe(image);
  });
});
