import { correctBrightness } from './brightness.js';
import { invertDarkRegions, toDarkOnLight } from './dark-regions.js';
import { correctPerspective } from '../photo/sheet.js';
import { increment, quantile, type Raster, toRaster, toSharp } from './raster.js';
import { straighten } from './skew.js';

/** Share of pixels. Letters have almost none. */
const minSpeckles = 0.002;
/** How much a speckle differs from each of its neighbors, in gray levels. */
const speckleContrast = 100;

/** In gray levels. Compressed photos have up to 6. */
const minNoise = 12;
/** Blurs noise, but only little of the strokes of letters at 200 dpi. */
const blurPixels = 1.2;

/** Half the width of the neighborhood in which edges are measured. */
const edgePixels = 4;
/** Difference in gray levels between the sides of an edge. */
const minEdgeContrast = 90;
/** Share of the contrast of an edge between two adjacent pixels. Sharp edges have 0.6, screenshots at twice their size 0.43. */
const minSharpness = 0.4;
/** Standard deviation of the blur that sharpening counteracts. */
const sharpenedPixels = 2;

/** Darker pixels are ink. */
const maxInkLevel = 160;
/** Longer than the strokes of letters. */
const minRulePixels = 80;
const maxRuleThickness = 8;
/** Share of a ruled line that crosses letters. Underlines and borders of tables only touch some. */
const minCrossingShare = 0.05;

/**
 * Corrects what keeps Tesseract from reading an image: perspective, light text, weak contrast, shadows, noise, blur, skew
 * and lines through the text. Each correction is only made if its cause was measured, so clean pages are returned unchanged.
 */
export async function prepareImage(image: Raster): Promise<Raster> {
  const flat = await correctPerspective(image);
  const even = correctBrightness(invertDarkRegions(toDarkOnLight(flat)));
  return removeRules(await straighten(await clean(even)));
}

/** Removes horizontal lines through text, which page segmentation would take for a picture. Keeps the letters they cross. */
function removeRules(image: Raster): Raster {
  const { pixels, width } = image;
  const isInk = (index: number) => (pixels[index] ?? 255) < maxInkLevel;
  const isThin = (index: number) => {
    let count = 1;
    for (let above = index - width; isInk(above) && count <= maxRuleThickness; above -= width) count += 1;
    for (let below = index + width; isInk(below) && count <= maxRuleThickness; below += width) count += 1;
    return count <= maxRuleThickness;
  };
  let cleaned: Buffer | undefined;
  for (const { start, end } of findLongRuns(image)) {
    const line: number[] = [];
    for (let index = start; index < end; index += 1) if (isThin(index)) line.push(index);
    const crossings = end - start - line.length;
    if (crossings < minCrossingShare * (end - start) || crossings > line.length) continue;
    cleaned ??= Buffer.from(pixels);
    for (const index of line) {
      // Its edges may be gray.
      for (const near of [index - width, index, index + width]) if (near === index || !isInk(near)) cleaned[near] = 255;
    }
  }
  return cleaned === undefined ? image : { ...image, pixels: cleaned };
}

/** Yields the indexes of long rows of ink. */
function* findLongRuns({ pixels, width, height }: Raster): Generator<{ start: number; end: number }> {
  for (let row = 0; row < height; row += 1) {
    const rowEnd = (row + 1) * width;
    let start = row * width;
    for (let index = start; index <= rowEnd; index += 1) {
      if (index < rowEnd && (pixels[index] ?? 255) < maxInkLevel) continue;
      if (index - start >= minRulePixels) yield { start, end: index };
      start = index + 1;
    }
  }
}

async function clean(image: Raster): Promise<Raster> {
  if (measureNoise(image) >= minNoise) return toRaster(toSharp(image).blur(blurPixels), image.dpi);
  if (measureSpeckles(image) >= minSpeckles) return toRaster(toSharp(image).median(3), image.dpi);
  // Blurred lines would merge when Tesseract converts to black and white. Sharpening noise would make it letters.
  if (measureSharpness(image) < minSharpness)
    return toRaster(toSharp(image).sharpen({ sigma: sharpenedPixels }), image.dpi);
  return image;
}

/**
 * Returns the standard deviation of the noise: the Laplacian mask of J. Immerkær (Fast noise variance estimation, 1996),
 * with the median instead of the mean, which edges of letters would dominate.
 */
export function measureNoise({ pixels, width, height }: Raster): number {
  const counts = new Uint32Array(2_048);
  const at = (index: number) => pixels[index] ?? 0;
  for (let y = 1; y < height - 1; y += 3) {
    for (let x = 1; x < width - 1; x += 3) {
      const [above, here, below] = [(y - 1) * width + x, y * width + x, (y + 1) * width + x];
      const corners = at(above - 1) + at(above + 1) + at(below - 1) + at(below + 1);
      const sides = at(above) + at(below) + at(here - 1) + at(here + 1);
      increment(counts, Math.min(counts.length - 1, Math.abs(corners - 2 * sides + 4 * at(here))));
    }
  }
  const medianDeviation = quantile(counts, 0.5) / 6;
  return medianDeviation / 0.6745;
}

/** Returns the share of single pixels that are much darker, or much brighter, than all four neighbors. */
function measureSpeckles({ pixels, width, height }: Raster): number {
  let [speckles, all] = [0, 0];
  const at = (index: number) => pixels[index] ?? 0;
  for (let y = 1; y < height - 1; y += 3) {
    for (let x = 1; x < width - 1; x += 3) {
      const here = y * width + x;
      const near = [at(here - width), at(here - 1), at(here + 1), at(here + width)] as const;
      all += 1;
      const isDark = Math.min(...near) - at(here) > speckleContrast;
      const isBright = at(here) - Math.max(...near) > speckleContrast;
      if (isDark || isBright) speckles += 1;
    }
  }
  return speckles / Math.max(1, all);
}

/** Returns the median share of the contrast of an edge that is between two adjacent pixels; 1 without edges. */
export function measureSharpness({ pixels, width, height }: Raster): number {
  const shares = new Uint32Array(101);
  for (let y = edgePixels; y < height; y += 16) {
    const end = (y + 1) * width - edgePixels;
    for (let center = y * width + edgePixels; center < end; center += 4) {
      let [darkest, brightest, steepest] = [255, 0, 0];
      let previous = pixels[center - edgePixels] ?? 0;
      for (let index = center - edgePixels; index <= center + edgePixels; index += 1) {
        const level = pixels[index] ?? 0;
        darkest = Math.min(darkest, level);
        brightest = Math.max(brightest, level);
        steepest = Math.max(steepest, Math.abs(level - previous));
        previous = level;
      }
      const contrast = brightest - darkest;
      if (contrast >= minEdgeContrast) increment(shares, Math.round((100 * steepest) / contrast));
    }
  }
  return shares.some((count) => count > 0) ? quantile(shares, 0.5) / 100 : 1;
}
