/** Mean brightness below which a picture is taken for light on dark. */
const DARK_BRIGHTNESS = 110;
const SAMPLE_DISTANCE = 97;

/** A grey picture, ready to be recognised. */
export interface Raster {
  /** Row by row from the top, one byte each: 0 is black. */
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
}

/** Turns a picture by 180 degrees. */
export function turnAround({ pixels, ...size }: Raster): Raster {
  return { ...size, pixels: Buffer.from(pixels).reverse() };
}

/** Turns light on dark into dark on light: light text would be lost when the picture becomes black and white. */
export function toDarkOnLight(pixels: Buffer): Buffer {
  let sum = 0;
  for (let index = 0; index < pixels.length; index += SAMPLE_DISTANCE) sum += pixels[index] ?? 0;
  const isDark = sum / Math.ceil(pixels.length / SAMPLE_DISTANCE) < DARK_BRIGHTNESS;
  return isDark ? Buffer.from(pixels.map((value) => 255 - value)) : pixels;
}
