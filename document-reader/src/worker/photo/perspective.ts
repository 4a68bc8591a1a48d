import { maxRecognizedPixels } from '../../limits.js';
import type { Corners, Point } from './quadrilateral.js';
import type { Raster } from '../image/raster.js';

/** The first eight of the nine elements of a matrix, row by row. The last one is 1. */
type ProjectiveMap = readonly [number, number, number, number, number, number, number, number];

/** Cut off at each edge, because the outline is only found to about a pixel of a small copy. */
const marginShare = 0.004;

/**
 * Returns the projective map from the unit square to a quadrilateral (P. Heckbert, Fundamentals of Texture Mapping and
 * Image Warping, 1989, section 2.2.3).
 */
export function mapSquareTo([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Corners): ProjectiveMap {
  const [dx1, dx2, sumX] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sumY] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const determinant = dx1 * dy2 - dx2 * dy1;
  const g = (sumX * dy2 - dx2 * sumY) / determinant;
  const h = (dx1 * sumY - sumX * dy1) / determinant;
  return [x1 - x0 + g * x1, x3 - x0 + h * x3, x0, y1 - y0 + g * y1, y3 - y0 + h * y3, y0, g, h];
}

/** Returns a quadrilateral of an image as if seen from above. */
export function viewFromAbove(image: Raster, corners: Corners): Raster {
  const { width, height } = measureSheet(image, corners);
  const [a, b, c, d, e, f, g, h] = mapSquareTo(corners);
  const pixels = Buffer.allocUnsafe(width * height);
  const inside = 1 - 2 * marginShare;
  for (let row = 0; row < height; row += 1) {
    const v = marginShare + (inside * (row + 0.5)) / height;
    for (let column = 0; column < width; column += 1) {
      const u = marginShare + (inside * (column + 0.5)) / width;
      const weight = g * u + h * v + 1;
      const [x, y] = [(a * u + b * v + c) / weight - 0.5, (d * u + e * v + f) / weight - 0.5];
      pixels[row * width + column] = levelAt(image, x, y);
    }
  }
  return { pixels, width, height, dpi: image.dpi };
}

/** Interpolates between pixels. A corner of the sheet may be outside the image. */
function levelAt({ pixels, width, height }: Raster, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return 255;
  const index = top * width + left;
  const [right, bottom] = [x - left, y - top];
  const upper = (pixels[index] ?? 0) * (1 - right) + (pixels[index + 1] ?? 0) * right;
  const lower = (pixels[index + width] ?? 0) * (1 - right) + (pixels[index + width + 1] ?? 0) * right;
  return Math.round(upper * (1 - bottom) + lower * bottom);
}

/**
 * Returns the size of the corrected image. The nearest parts of the sheet keep their resolution. The ratio of its sides
 * follows from the map (Z. Zhang and L. He, Whiteboard scanning and image enhancement, 2007), with a focal length as long
 * as the image, which is usual for phones.
 */
function measureSheet(image: Raster, corners: Corners): { width: number; height: number } {
  const fromCenter = ([x, y]: Point): Point => [x - image.width / 2, y - image.height / 2];
  const [first, second, third, fourth] = corners;
  const [a, b, , d, e, , g, h] = mapSquareTo([
    fromCenter(first),
    fromCenter(second),
    fromCenter(third),
    fromCenter(fourth),
  ]);
  const focalLength = Math.max(image.width, image.height);
  const ratio = Math.hypot(a, d, g * focalLength) / Math.hypot(b, e, h * focalLength);
  const width = Math.max(distance(first, second), distance(fourth, third));
  const height = Math.max(distance(first, fourth), distance(second, third));
  const widest = Math.min(Math.max(width, height * ratio), Math.sqrt(maxRecognizedPixels * ratio));
  return { width: Math.max(1, Math.floor(widest)), height: Math.max(1, Math.floor(widest / ratio)) };
}

function distance([x0, y0]: Point, [x1, y1]: Point): number {
  return Math.hypot(x1 - x0, y1 - y0);
}
