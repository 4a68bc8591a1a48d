import { type Raster, toRaster, toSharp } from './raster.js';

const maxDegrees = 15;
/** Tesseract reads lines with less skew as well. */
const minDegrees = 1;
/** How much sharper the profile of straight lines must be. Pages without lines of text have no clear best angle. */
const minGain = 1.5;

/** Length of the longer side of the image that angles are measured on. */
const measuredPixels = 600;
/** Ignored at each edge, where scanners leave shadows. */
const marginShare = 0.03;
/** Half the width of the neighborhood that a pixel is compared with. */
const neighborhoodPixels = 8;
/** Pixels that are darker than their neighborhood by this much are ink. */
const inkContrast = 12;
const maxInkPixels = 8_000;

/** Returns the image with horizontal lines of text. */
export async function straighten(image: Raster): Promise<Raster> {
  const degrees = await measureSkew(image);
  if (Math.abs(degrees) < minDegrees) return image;
  return toRaster(toSharp(image).rotate(-degrees, { background: 'white' }), image.dpi);
}

/** Returns the clockwise rotation of the lines of text, in degrees; 0 if there are none. */
export async function measureSkew(image: Raster): Promise<number> {
  const scale = Math.min(1, measuredPixels / Math.max(image.width, image.height));
  const width = Math.max(1, Math.round(image.width * scale));
  const ink = findInk(await toRaster(toSharp(image).resize({ width, kernel: 'cubic' }), image.dpi));
  const straight = sharpnessAt(ink, 0);
  let best = { degrees: 0, sharpness: straight };
  for (const [step, range] of [
    [0.5, maxDegrees],
    [0.1, 0.4],
  ] as const) {
    const center = best.degrees;
    for (let degrees = center - range; degrees <= center + range; degrees += step) {
      const sharpness = sharpnessAt(ink, degrees);
      if (sharpness > best.sharpness) best = { degrees, sharpness };
    }
  }
  return best.sharpness >= minGain * straight ? best.degrees : 0;
}

/** Positions of dark pixels relative to the center. */
interface Ink {
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Longest distance between two pixels. */
  readonly diagonal: number;
}

function findInk({ pixels, width, height }: Raster): Ink {
  const sums = integrate(pixels, width, height);
  const margin = Math.round(Math.min(width, height) * marginShare);
  const x: number[] = [];
  const y: number[] = [];
  for (let row = margin; row < height - margin; row += 1) {
    for (let column = margin; column < width - margin; column += 1) {
      const left = Math.max(0, column - neighborhoodPixels);
      const right = Math.min(width, column + neighborhoodPixels + 1);
      const top = Math.max(0, row - neighborhoodPixels) * (width + 1);
      const bottom = Math.min(height, row + neighborhoodPixels + 1) * (width + 1);
      const sum = at(sums, bottom + right) - at(sums, top + right) - at(sums, bottom + left) + at(sums, top + left);
      const mean = sum / (((bottom - top) / (width + 1)) * (right - left));
      if (at(pixels, row * width + column) >= mean - inkContrast) continue;
      x.push(column - width / 2);
      y.push(row - height / 2);
    }
  }
  const step = Math.max(1, Math.ceil(x.length / maxInkPixels));
  const sample = (values: number[]) => Float32Array.from(values.filter((_, index) => index % step === 0));
  return { x: sample(x), y: sample(y), diagonal: Math.ceil(Math.hypot(width, height)) + 2 };
}

/** Sums of all pixels above and to the left, with one more row and column than the image. */
function integrate(pixels: Uint8Array, width: number, height: number): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let row = 0; row < height; row += 1) {
    let sum = 0;
    for (let column = 0; column < width; column += 1) {
      sum += at(pixels, row * width + column);
      const index = (row + 1) * (width + 1) + column + 1;
      sums[index] = at(sums, index - width - 1) + sum;
    }
  }
  return sums;
}

/**
 * How clearly rows of ink and gaps alternate at this angle: the squared differences of adjacent rows of the projection
 * profile (W. Postl, Detection of linear oblique structures and skew scan in digitized documents, 1986).
 */
function sharpnessAt({ x, y, diagonal }: Ink, degrees: number): number {
  const [cosine, sine] = [Math.cos, Math.sin].map((f) => f((degrees * Math.PI) / 180)) as [number, number];
  const profile = new Float64Array(diagonal);
  for (let index = 0; index < x.length; index += 1) {
    const row = Math.round(at(y, index) * cosine - at(x, index) * sine + diagonal / 2);
    profile[row] = at(profile, row) + 1;
  }
  return profile.reduce((sum, count, row) => sum + (count - at(profile, row - 1)) ** 2, 0);
}

/** For indexes that are known to be valid, or count as 0. */
function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
