import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp, { type Sharp } from 'sharp';
import { type DrawnPage, drawDigitalPdf } from './draw-pdf.js';

export interface DrawnImage {
  /** 200 by default. */
  readonly dpi?: number;
  /** Clockwise rotation. */
  readonly degrees?: number;
  /** Standard deviation of the noise, in gray levels from 0 to 255. */
  readonly noise?: number;
  /** Light on dark. */
  readonly isInverted?: boolean;
  readonly format?: 'png' | 'jpeg' | 'webp' | 'tiff' | 'gif';
  /** In points; A5 portrait by default. */
  readonly size?: readonly [width: number, height: number];
}

const pointsPerInch = 72;

/** Draws a page as an image, as from a scanner or camera. */
export async function drawImage(page: DrawnPage, image: DrawnImage = {}): Promise<Buffer> {
  const { dpi = 200, degrees = 0, noise = 0, isInverted = false, format = 'png', size } = image;
  const pdf = await drawDigitalPdf([page], size === undefined ? {} : { size });
  let picture = await renderPage(pdf, dpi);
  if (degrees !== 0) picture = picture.rotate(degrees, { background: 'white' });
  if (noise > 0) picture = await addNoise(picture, noise);
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

async function renderPage(pdf: Buffer, dpi: number): Promise<Sharp> {
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

/** Adds the same noise in each run. */
async function addNoise(picture: Sharp, standardDeviation: number): Promise<Sharp> {
  const { data, info } = await picture.grayscale().raw().toBuffer({ resolveWithObject: true });
  let state = 42;
  // Numerical Recipes' linear congruential generator.
  const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  for (let index = 0; index < data.length; index += 1) {
    // The sum of three uniform numbers is nearly normal, with a variance of 1/4.
    const noise = (random() + random() + random() - 1.5) * 2 * standardDeviation;
    data[index] = Math.min(255, Math.max(0, (data[index] ?? 0) + noise));
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 1 } });
}

/** Runs the operations so far, because sharp reorders those of one pipeline. */
async function detach(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}
