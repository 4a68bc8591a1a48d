import sharp, { type Metadata, type Sharp } from 'sharp';
import { DocumentError } from '../../ocr-engine.js';
import { maxImagePixels, maxRecognizedPixels, pageDpi } from '../limits.js';
import { type OpenedDocument, PageFailure, type PageText } from './opened-document.js';
import { type Raster, type Recognizer, toDarkOnLight } from './recognizer.js';

// Before any image is read: every other loader of libvips only adds ways to attack the worker.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Png', 'Jpeg', 'Webp', 'Tiff', 'Nsgif'].map((format) => `VipsForeignLoad${format}`) });

/** Densities that scanners have; cameras and image editors write others, which say nothing of the paper. */
const BELIEVABLE_DPI = { least: 100, most: 1_200 };
/** Smaller pictures of unknown density are taken for screenshots, whose letters are too small to be recognised. */
const SCREENSHOT_PIXELS = 1_500_000;

/** An image; of a TIFF every page, of an animation the first frame. */
export class ImageDocument implements OpenedDocument {
  private constructor(
    private readonly bytes: Buffer,
    private readonly recognizer: Recognizer,
    readonly pageCount: number,
  ) {}

  /** @throws DocumentError when it is broken or has too many pixels */
  static async open(bytes: Buffer, recognizer: Recognizer): Promise<ImageDocument> {
    const { width, height, pages = 1, format } = await readMetadata(bytes);
    if (width * height > maxImagePixels) {
      throw new DocumentError(
        'too-many-pixels',
        `The image has ${width} × ${height} pixels; at most ${maxImagePixels} in all are read.`,
      );
    }
    return new ImageDocument(bytes, recognizer, format === 'tiff' ? pages : 1);
  }

  async read(pageIndex: number): Promise<PageText> {
    const raster = await this.decode(pageIndex);
    const { dpi, width, height } = raster;
    return { lines: this.recognizer.recognize(raster), dimensions: { dpi, width, height } };
  }

  close(): void {
    // Nothing is kept open between pages.
  }

  private async decode(pageIndex: number): Promise<Raster> {
    try {
      return await prepare(openImage(this.bytes, pageIndex));
    } catch {
      if (this.pageCount === 1) throw damaged();
      throw new PageFailure('is damaged or has too many pixels.');
    }
  }
}

function openImage(bytes: Buffer, page: number): Sharp {
  return sharp(bytes, { page, pages: 1, limitInputPixels: maxImagePixels, failOn: 'error' });
}

/** Reads the head of the file alone, so it needs no bound. */
async function readMetadata(bytes: Buffer): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw damaged();
  }
}

const damaged = () => new DocumentError('corrupt', 'The image is damaged and cannot be read.');

/** Upright, grey, dark on light, and of a size that is recognised well. */
async function prepare(image: Sharp): Promise<Raster> {
  const { autoOrient, density } = await image.metadata();
  const knownDpi =
    density !== undefined && density >= BELIEVABLE_DPI.least && density <= BELIEVABLE_DPI.most ? density : undefined;
  const scale = scaleFor(autoOrient.width * autoOrient.height, knownDpi);
  let upright = image.autoOrient().flatten({ background: 'white' });
  if (scale !== 1) upright = upright.resize({ width: Math.max(1, Math.round(autoOrient.width * scale)) });
  const { data, info } = await upright.grayscale().raw().toBuffer({ resolveWithObject: true });
  const dpi = Math.round(knownDpi === undefined ? pageDpi : knownDpi * scale);
  return { pixels: toDarkOnLight(data), width: info.width, height: info.height, dpi };
}

function scaleFor(pixels: number, knownDpi: number | undefined): number {
  if (pixels > maxRecognizedPixels) return Math.sqrt(maxRecognizedPixels / pixels);
  return pixels < SCREENSHOT_PIXELS && knownDpi === undefined ? 2 : 1;
}
