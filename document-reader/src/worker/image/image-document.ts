import sharp, { type Metadata, type Sharp } from 'sharp';
import { DocumentError } from '../../errors.js';
import { maxImagePixels, maxRecognizedPixels, pageDpi } from '../../limits.js';
import { type OpenDocument, PageFailure, type PageText } from '../../page.js';
import type { Raster } from './raster.js';
import type { Recognizer } from '../recognition/recognizer.js';

// Blocks all other loaders of libvips, which would only add attack surface.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['Png', 'Jpeg', 'Webp', 'Tiff', 'Nsgif'].map((format) => `VipsForeignLoad${format}`) });

/** Resolutions of scanners. Cameras and image editors write other values, which don't refer to paper. */
const minScannerDpi = 100;
const maxScannerDpi = 1_200;
/** Smaller images of unknown resolution are treated as screenshots, whose letters are too small for recognition. */
const maxScreenshotPixels = 1_500_000;

/** An image. A TIFF may have several pages; of an animation, only the first frame is read. */
export class ImageDocument implements OpenDocument {
  private constructor(
    private readonly bytes: Buffer,
    private readonly recognizer: Recognizer,
    readonly pageCount: number,
  ) {}

  /** @throws DocumentError if the image is damaged or too large */
  static async open(bytes: Buffer, recognizer: Recognizer): Promise<ImageDocument> {
    const { width, height, pages = 1, format } = await readMetadata(bytes);
    if (width * height > maxImagePixels) {
      throw new DocumentError(
        'too-many-pixels',
        `The image has ${width} × ${height} pixels. The maximum is ${maxImagePixels / 1_000_000} million.`,
      );
    }
    return new ImageDocument(bytes, recognizer, format === 'tiff' ? pages : 1);
  }

  async read(pageIndex: number): Promise<PageText> {
    const raster = await this.decode(pageIndex);
    const { dpi, width, height } = raster;
    return { ...(await this.recognizer.recognize(raster)), dimensions: { dpi, width, height }, figures: [] };
  }

  /** Pictures in scans and photos aren't found. */
  render(): Promise<never[]> {
    return Promise.resolve([]);
  }

  close(): void {
    // Nothing stays open between pages.
  }

  private async decode(pageIndex: number): Promise<Raster> {
    try {
      return await toRaster(openImage(this.bytes, pageIndex));
    } catch {
      if (this.pageCount === 1) throw damagedError();
      throw new PageFailure('is damaged or has too many pixels.');
    }
  }
}

function openImage(bytes: Buffer, page: number): Sharp {
  return sharp(bytes, { page, pages: 1, limitInputPixels: maxImagePixels, failOn: 'error' });
}

/** Reads only the header of the file, so it needs no limit. */
async function readMetadata(bytes: Buffer): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw damagedError();
  }
}

function damagedError(): DocumentError {
  return new DocumentError('corrupt', 'The image is damaged and cannot be read.');
}

/** Decodes an image upright, in grayscale, and at a size suitable for recognition. */
async function toRaster(image: Sharp): Promise<Raster> {
  const { autoOrient, density } = await image.metadata();
  const knownDpi = density !== undefined && density >= minScannerDpi && density <= maxScannerDpi ? density : undefined;
  const scale = scaleFor(autoOrient.width * autoOrient.height, knownDpi);
  let upright = image.autoOrient().flatten({ background: 'white' });
  if (scale !== 1) upright = upright.resize({ width: Math.max(1, Math.round(autoOrient.width * scale)) });
  const { data, info } = await upright.grayscale().raw().toBuffer({ resolveWithObject: true });
  const dpi = Math.round(knownDpi === undefined ? pageDpi : knownDpi * scale);
  return { pixels: data, width: info.width, height: info.height, dpi };
}

function scaleFor(pixels: number, knownDpi: number | undefined): number {
  if (pixels > maxRecognizedPixels) return Math.sqrt(maxRecognizedPixels / pixels);
  return pixels < maxScreenshotPixels && knownDpi === undefined ? 2 : 1;
}
