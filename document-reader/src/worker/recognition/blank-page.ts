import { measureNoise } from '../image/prepare-image.js';
import { type Raster, toRaster, toSharp } from '../image/raster.js';

/** Marks are measured at this resolution, at which most noise has been averaged out. */
const measuredDpi = 100;
/** Radius of the surroundings that a mark is compared with. */
const blurPixels = 16;
/** Least difference between a mark and its surroundings, in gray levels and in standard deviations of the noise. */
const minContrast = 10;
const minContrastToNoise = 5;
/** Marks that reach into this part of the page are edges of the paper, folds and shadows, unless they are too large. */
const marginShare = 0.02;
const maxMarginInkShare = 0.15;
/** Smaller marks, in pixels, are dust. */
const minLetterPixels = 5;
const minLetterArea = 7;
/** Fewer marks are hairs and stains. */
const minLetters = 3;
/** Share of the page that fewer marks must cover: a picture, but not the holes of a file. */
const minInkShare = 0.003;

/** Whether nothing is on a page but what paper and scanners add: noise, dust, holes, folds, and shadows at the edges. */
export async function isBlankPage(image: Raster): Promise<boolean> {
  const scale = Math.min(1, measuredDpi / image.dpi);
  const width = Math.max(1, Math.round(image.width * scale));
  const scaled = await toRaster(toSharp(image).resize({ width, kernel: 'linear' }), measuredDpi);
  const noise = measureNoise(scaled);
  const surroundings = await toRaster(toSharp(scaled).blur(blurPixels), measuredDpi);
  const contrast = Math.max(minContrast, minContrastToNoise * noise);
  const isInk = Uint8Array.from(scaled.pixels, (level, index) =>
    Math.abs((surroundings.pixels[index] ?? 0) - level) >= contrast ? 1 : 0,
  );
  let [letters, ink, marginInk] = [0, 0, 0];
  for (const { size, area, isAtMargin } of findMarks(isInk, scaled)) {
    if (size < minLetterPixels || area < minLetterArea) continue;
    if (isAtMargin) marginInk += area;
    else [letters, ink] = [letters + 1, ink + area];
  }
  const pixels = isInk.length;
  return letters < minLetters && ink < minInkShare * pixels && marginInk < maxMarginInkShare * pixels;
}

interface Mark {
  /** The longer side, in pixels. */
  readonly size: number;
  readonly area: number;
  readonly isAtMargin: boolean;
}

/** Finds connected pixels of ink. Clears `isInk`. */
function* findMarks(isInk: Uint8Array, { width, height }: Raster): Generator<Mark> {
  const margin = marginShare * Math.min(width, height);
  for (let first = 0; first < isInk.length; first += 1) {
    if (isInk[first] !== 1) continue;
    isInk[first] = 0;
    const found = [first];
    let [left, top, right, bottom] = [width, height, 0, 0];
    for (const index of found) {
      const [x, y] = [index % width, Math.floor(index / width)];
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
          const neighbor = row * width + column;
          if (isInk[neighbor] !== 1) continue;
          isInk[neighbor] = 0;
          found.push(neighbor);
        }
      }
    }
    const isAtMargin = left < margin || top < margin || right >= width - margin || bottom >= height - margin;
    yield { size: Math.max(right - left, bottom - top) + 1, area: found.length, isAtMargin };
  }
}
