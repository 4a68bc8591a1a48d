import sharp, { type Sharp } from 'sharp';

/** A grayscale image. */
export interface Raster {
  /** One byte per pixel, in rows from the top. 0 is black. */
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

export function toSharp({ pixels, width, height }: Raster): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } });
}

export async function toRaster(image: Sharp, dpi: number): Promise<Raster> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height, dpi };
}

export function rotate180({ pixels, ...size }: Raster): Raster {
  return { ...size, pixels: Buffer.from(pixels).reverse() };
}

/** Counts a value in a histogram. */
export function increment(counts: Uint32Array, value = 0): void {
  counts[value] = (counts[value] ?? 0) + 1;
}

/** Returns the smallest value that this share of all values doesn't exceed. */
export function quantile(counts: Uint32Array, share: number): number {
  let missing = share * counts.reduce((sum, count) => sum + count, 0);
  return counts.findIndex((count) => (missing -= count) <= 0);
}
