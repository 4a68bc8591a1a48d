import type { Raster } from './raster.js';

/** Images with a lower mean brightness are treated as light on dark. */
const minLightBrightness = 110;
/** Every n-th pixel is sampled. */
const sampleStep = 97;

/** Side of the squares that regions are made of. */
const blockPixels = 8;
/** Brightness below which a square is dark, relative to the page. Squares full of dark letters are brighter. */
const maxDarkness = 0.45;
/** Smallest region, in squares: a word in a small font. */
const minColumns = 5;
const minRows = 3;
/** Share of the rectangle around a region that is dark. Others are drawings or photos. */
const minFilledShare = 0.8;
/** Share of a region that its letters cover. */
const minLightShare = 0.02;
const maxLightShare = 0.5;

/** Inverts light-on-dark images, because Tesseract would lose light text when it converts to black and white. */
export function toDarkOnLight(image: Raster): Raster {
  const { pixels } = image;
  let sum = 0;
  for (let index = 0; index < pixels.length; index += sampleStep) sum += pixels[index] ?? 0;
  const isDark = sum / Math.ceil(pixels.length / sampleStep) < minLightBrightness;
  return isDark ? { ...image, pixels: Buffer.from(pixels.map((level) => 255 - level)) } : image;
}

/** Inverts rectangles of light text on a dark background, such as headers of tables. */
export function invertDarkRegions(image: Raster): Raster {
  const grid = measureBlocks(image);
  const regions = findDarkRegions(grid).filter((region) => hasLightText(image, region, grid.pageBrightness));
  if (regions.length === 0) return image;
  const pixels = Buffer.from(image.pixels);
  for (const region of regions) {
    for (const index of indexesIn(region, image)) pixels[index] = 255 - (pixels[index] ?? 0);
  }
  return { ...image, pixels };
}

interface Blocks {
  /** Mean brightness, in rows from the top. */
  readonly levels: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** Median of the levels. */
  readonly pageBrightness: number;
}

/** In pixels. `right` and `bottom` are exclusive. */
interface Region {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function measureBlocks({ pixels, width, height }: Raster): Blocks {
  const [columns, rows] = [Math.floor(width / blockPixels), Math.floor(height / blockPixels)];
  const levels = new Float32Array(columns * rows);
  for (let y = 0; y < rows * blockPixels; y += 2) {
    const start = Math.floor(y / blockPixels) * columns;
    for (let x = 0; x < columns * blockPixels; x += 1) {
      const block = start + Math.floor(x / blockPixels);
      levels[block] = (levels[block] ?? 0) + (pixels[y * width + x] ?? 0) / (blockPixels ** 2 / 2);
    }
  }
  const pageBrightness = Float32Array.from(levels).sort()[Math.floor(levels.length / 2)] ?? 255;
  return { levels, columns, rows, pageBrightness };
}

/** Finds connected dark squares that fill a rectangle. */
function findDarkRegions({ levels, columns, rows, pageBrightness }: Blocks): Region[] {
  const isDark = levels.map((level) => (level < maxDarkness * pageBrightness ? 1 : 0));
  const regions: Region[] = [];
  for (let first = 0; first < isDark.length; first += 1) {
    if (isDark[first] !== 1) continue;
    isDark[first] = 0;
    const found = [first];
    let [left, top, right, bottom] = [columns, rows, 0, 0];
    for (const block of found) {
      const [column, row] = [block % columns, Math.floor(block / columns)];
      [left, right] = [Math.min(left, column), Math.max(right, column + 1)];
      [top, bottom] = [Math.min(top, row), Math.max(bottom, row + 1)];
      const neighbors = [block - columns, block + columns];
      if (column > 0) neighbors.push(block - 1);
      if (column < columns - 1) neighbors.push(block + 1);
      for (const neighbor of neighbors) {
        if (isDark[neighbor] !== 1) continue;
        isDark[neighbor] = 0;
        found.push(neighbor);
      }
    }
    if (right - left < minColumns || bottom - top < minRows) continue;
    if (found.length < minFilledShare * (right - left) * (bottom - top)) continue;
    regions.push({
      left: left * blockPixels,
      top: top * blockPixels,
      right: right * blockPixels,
      bottom: bottom * blockPixels,
    });
  }
  return regions;
}

function hasLightText(image: Raster, region: Region, pageBrightness: number): boolean {
  let [light, all] = [0, 0];
  for (const index of indexesIn(region, image)) {
    all += 1;
    if ((image.pixels[index] ?? 0) > 0.6 * pageBrightness) light += 1;
  }
  return light >= minLightShare * all && light <= maxLightShare * all;
}

function* indexesIn({ left, top, right, bottom }: Region, { width }: Raster): Generator<number> {
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) yield y * width + x;
}
