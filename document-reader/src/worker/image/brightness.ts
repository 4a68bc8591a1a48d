import { increment, quantile, type Raster } from './raster.js';

/** Side of the squares that brightness is measured in: several lines of text. */
const blockPixels = 32;
/** Share of a block that is at most as bright as its background. */
const backgroundQuantile = 0.7;
/** Darker blocks are left unchanged: images, or light text on a dark background. */
const minBackground = 40;

/** Backgrounds at least this bright everywhere, and ink at most this bright, need no correction. */
const brightBackground = 225;
const darkInk = 100;
/** Share of the pixels of a page that is at least as dark as its ink. */
const inkQuantile = 0.01;
/** Ink is never assumed to be brighter than this, so that blank pages stay blank. */
const maxInk = 225;
/** Levels above this become white, because paper isn't perfectly even. */
const whiteLevel = 245;

/** Makes paper white and ink black everywhere. */
export function correctBrightness(image: Raster): Raster {
  const background = measureBackground(image);
  const ink = quantile(countLevels(image.pixels), inkQuantile);
  const darkest = background.levels.reduce((least, level) => Math.min(least, level), 255);
  if (darkest >= brightBackground && ink <= darkInk) return image;
  return stretch({ ...image, pixels: divideBy(background, image) });
}

interface Background {
  /** Brightness of the paper in each block, in rows from the top. */
  readonly levels: Float32Array;
  readonly columns: number;
  readonly rows: number;
}

function measureBackground({ pixels, width, height }: Raster): Background {
  const [columns, rows] = [Math.ceil(width / blockPixels), Math.ceil(height / blockPixels)];
  const levels = new Float32Array(columns * rows);
  const counts = new Uint32Array(256);
  for (let block = 0; block < levels.length; block += 1) {
    const left = (block % columns) * blockPixels;
    const top = Math.floor(block / columns) * blockPixels;
    counts.fill(0);
    for (let y = top; y < Math.min(height, top + blockPixels); y += 4) {
      for (let x = left; x < Math.min(width, left + blockPixels); x += 2) increment(counts, pixels[y * width + x]);
    }
    levels[block] = quantile(counts, backgroundQuantile);
  }
  const background = { levels, columns, rows };
  // A block may be covered by a heading or an image, so blocks follow their neighbors.
  const isolated = mapNeighbors(background, 1, (near) => near.sort()[Math.floor(near.length * 0.75)] ?? 255);
  return mapNeighbors(isolated, 2, (near) => near.reduce((sum, level) => sum + level, 0) / near.length);
}

function mapNeighbors(
  { levels, columns, rows }: Background,
  distance: number,
  combine: (levels: Float32Array) => number,
): Background {
  const combined = levels.map((_, block) => {
    const [column, row] = [block % columns, Math.floor(block / columns)];
    const near: number[] = [];
    for (let y = Math.max(0, row - distance); y <= Math.min(rows - 1, row + distance); y += 1) {
      for (let x = Math.max(0, column - distance); x <= Math.min(columns - 1, column + distance); x += 1) {
        near.push(levels[y * columns + x] ?? 0);
      }
    }
    return combine(Float32Array.from(near));
  });
  return { levels: combined, columns, rows };
}

/** Divides by the background, interpolated between the centers of blocks. */
function divideBy({ levels, columns, rows }: Background, { pixels, width, height }: Raster): Buffer {
  const corrected = Buffer.allocUnsafe(pixels.length);
  const between = (position: number, count: number) => {
    const place = Math.min(count - 1, Math.max(0, (position + 0.5) / blockPixels - 0.5));
    const first = Math.floor(place);
    return { first, second: Math.min(count - 1, first + 1), share: place - first };
  };
  const inRows = Array.from({ length: width }, (_, x) => between(x, columns));
  for (let y = 0; y < height; y += 1) {
    const { first, second, share } = between(y, rows);
    const line = Float32Array.from({ length: columns }, (_, column) =>
      mix(levels[first * columns + column], levels[second * columns + column], share),
    );
    for (const [x, place] of inRows.entries()) {
      const paper = Math.max(minBackground, mix(line[place.first], line[place.second], place.share));
      const index = y * width + x;
      corrected[index] = Math.min(255, ((pixels[index] ?? 0) * 255) / paper);
    }
  }
  return corrected;
}

function mix(first = 0, second = 0, share: number): number {
  return first * (1 - share) + second * share;
}

function stretch(image: Raster): Raster {
  const ink = Math.min(maxInk, quantile(countLevels(image.pixels), inkQuantile));
  const levels = Uint8Array.from({ length: 256 }, (_, level) =>
    Math.max(0, Math.min(255, ((level - ink) * 255) / (whiteLevel - ink))),
  );
  return { ...image, pixels: Buffer.from(image.pixels.map((level) => levels[level] ?? level)) };
}

function countLevels(pixels: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256);
  for (let index = 0; index < pixels.length; index += 7) increment(counts, pixels[index]);
  return counts;
}
