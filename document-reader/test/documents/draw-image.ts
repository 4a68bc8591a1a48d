import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';
import { mapSquareTo } from '../../src/worker/photo/perspective.js';
import type { Corners } from '../../src/worker/photo/quadrilateral.js';
import { type DrawnPage, drawDigitalPdf } from './draw-pdf.js';

export interface DrawnImage {
  /** 200 by default. */
  readonly dpi?: number;
  /** Clockwise rotation. */
  readonly degrees?: number;
  /** Standard deviation of the noise, in gray levels from 0 to 255. */
  readonly noise?: number;
  /** Share of pixels that become black or white. */
  readonly speckles?: number;
  /** Difference between paper and ink in gray levels, on gray paper. */
  readonly contrast?: number;
  /** Standard deviation of a Gaussian blur, in pixels. */
  readonly blur?: number;
  /** Seen at an angle, on a dark table, with a shadow. */
  readonly isPhoto?: boolean;
  /** Seen in perspective on a table. */
  readonly perspective?: Perspective;
  /** Horizontal lines over the page, which cross the text. */
  readonly isRuled?: boolean;
  /** Light on dark. */
  readonly isInverted?: boolean;
  readonly format?: 'png' | 'jpeg' | 'webp' | 'tiff' | 'gif';
  /** In points; A5 portrait by default. */
  readonly size?: readonly [width: number, height: number];
}

export interface Perspective {
  /** Corners of the sheet, as shares of the photo. */
  readonly corners: Corners;
  /** Gray level of the table. */
  readonly table: number;
  /** Size of the photo relative to the page; 1.2 by default. */
  readonly scale?: number;
}

const pointsPerInch = 72;

/** Draws a page as an image, as from a scanner or camera. */
export async function drawImage(page: DrawnPage, image: DrawnImage = {}): Promise<Buffer> {
  const {
    dpi = 200,
    degrees = 0,
    noise = 0,
    speckles = 0,
    blur = 0,
    contrast,
    isInverted,
    isRuled,
    isPhoto,
    perspective,
    format = 'png',
    size,
  } = image;
  const pdf = await drawDigitalPdf([page], size === undefined ? {} : { size });
  let picture = await renderPdf(pdf, dpi);
  if (isRuled) picture = await addRules(picture, dpi);
  if (degrees !== 0) picture = picture.rotate(degrees, { background: 'white' });
  if (contrast !== undefined) picture = await detach(picture.linear(contrast / 255, grayPaper - contrast));
  if (isPhoto) picture = await addShadow(picture.affine(cameraAngle, { background: 'black' }));
  if (perspective !== undefined) picture = await addShadow(await photograph(picture, perspective));
  if (blur > 0) picture = await detach(picture.blur(blur));
  if (noise > 0) picture = await addNoise(picture, noise);
  if (speckles > 0) picture = await addSpeckles(picture, speckles);
  if (isInverted) picture = picture.negate();
  return picture.withMetadata({ density: dpi })[format]().toBuffer();
}

/** Draws a page with one paragraph as an image. */
export function drawTextImage(text: string, image: DrawnImage = {}): Promise<Buffer> {
  return drawImage({ passages: [text] }, image);
}

/** Returns a TIFF with a page for each image. All must have the same size. */
export function drawTiff(images: readonly Buffer[]): Promise<Buffer> {
  return sharp([...images], { join: { animated: true } })
    .tiff({ compression: 'deflate' })
    .toBuffer();
}

/** Renders the first page of a PDF. */
export async function renderPdf(pdf: Buffer, dpi: number): Promise<Sharp> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(pdf);
  try {
    const { data, width, height } = await document.getPage(0).render({ scale: dpi / pointsPerInch });
    const pixels = sharp(data, { raw: { width, height, channels: 4 } }).flatten({ background: 'white' });
    return await detach(pixels.grayscale());
  } finally {
    document.destroy();
    library.destroy();
  }
}

const grayPaper = 180;
/** An affine transform, row by row. */
const cameraAngle: [number, number, number, number] = [0.93, 0.09, -0.07, 0.95];

/** Adds the same noise in each run. */
function addNoise(picture: Sharp, standardDeviation: number): Promise<Sharp> {
  const random = randomNumbers();
  // The sum of three uniform numbers is nearly normal, with a variance of 1/4.
  return mapPixels(picture, (level) => level + (random() + random() + random() - 1.5) * 2 * standardDeviation);
}

/** Adds the same black and white specks in each run. */
function addSpeckles(picture: Sharp, share: number): Promise<Sharp> {
  const random = randomNumbers();
  return mapPixels(picture, (level) => {
    const number = random();
    if (number < share / 2) return 0;
    return number < share ? 255 : level;
  });
}

/** Draws the page as a camera would see it. */
async function photograph(picture: Sharp, { corners, table, scale = 1.2 }: Perspective): Promise<Sharp> {
  const { data, info } = await picture.grayscale().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const [width, height] = [Math.round(info.width * scale), Math.round(info.height * scale)];
  const [a, b, c, d, e, f, g, h] = mapSquareTo(corners);
  const at = (x: number, y: number) => data[y * info.width + x] ?? table;
  const photo = Buffer.alloc(width * height, table);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const [x, y] = [(column + 0.5) / width, (row + 0.5) / height];
      // The inverse of the map, except for a factor: its adjugate matrix.
      const weight = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d);
      const u = (((e - f * h) * x + (c * h - b) * y + (b * f - c * e)) / weight) * info.width - 0.5;
      const v = (((f * g - d) * x + (a - c * g) * y + (c * d - a * f)) / weight) * info.height - 0.5;
      if (u < 0 || v < 0 || u >= info.width - 1 || v >= info.height - 1) continue;
      const [left, top] = [Math.floor(u), Math.floor(v)];
      const [right, bottom] = [u - left, v - top];
      const upper = at(left, top) * (1 - right) + at(left + 1, top) * right;
      const lower = at(left, top + 1) * (1 - right) + at(left + 1, top + 1) * right;
      photo[row * width + column] = upper * (1 - bottom) + lower * bottom;
    }
  }
  return sharp(photo, { raw: { width, height, channels: 1 } });
}

/** Draws a black line at every fifth of an inch. */
async function addRules(picture: Sharp, dpi: number): Promise<Sharp> {
  const { height = 0 } = await picture.metadata();
  const [pitch, thickness] = [dpi / 5, dpi / 66];
  return mapPixels(picture, (level, _x, y) => ((y * height) % pitch < thickness ? 0 : level));
}

/** Darkens the picture towards its lower right corner. */
function addShadow(picture: Sharp): Promise<Sharp> {
  return mapPixels(picture, (level, x, y) => level * (1 - 0.5 * x * (0.4 + 0.6 * y)));
}

/** @param map receives the gray level, and the position from 0 to 1 */
async function mapPixels(picture: Sharp, map: (level: number, x: number, y: number) => number): Promise<Sharp> {
  const { data, info } = await picture.grayscale().toColourspace('b-w').raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  for (const [index, level] of data.entries()) {
    const mapped = map(level, (index % width) / width, Math.floor(index / width) / height);
    data[index] = Math.min(255, Math.max(0, mapped));
  }
  return sharp(data, { raw: { width, height, channels: 1 } });
}

/** Numerical Recipes' linear congruential generator, from 0 to 1. */
function randomNumbers(): () => number {
  let state = 42;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

/** Runs the operations so far, because sharp reorders the operations of one pipeline. */
async function detach(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}
