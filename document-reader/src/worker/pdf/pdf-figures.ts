import sharp from 'sharp';
import { maxPageImageBytes, maxRecognizedPixels } from '../../limits.js';
import { areaOf, type Box, boxAround, type FigureLimits, type PageText, scaleBox } from '../../page.js';
import { clip, countCharacters, minCharactersOnScan } from './read-pictures.js';
import { OutOfMemoryError, type Pdfium, withMemory } from './pdfium.js';

/** Share of the page above which a picture is a scan or a background. */
const maxPageShare = 0.8;
/** Smaller pictures are icons, bullets and lines. At 200 dpi, this is half a centimeter. */
const defaultMinPixels = 40;
/** Programs divide pictures into tiles. Gap between two, relative to the width of the page. */
const maxTileGap = 0.002;
/** Area around two tiles, relative to their own. */
const maxTileWaste = 1.1;
const maxTileRounds = 8;
/** A picture with this many characters on it, most of the page's, is a scan. */
const minCharactersOnSmallScan = 40;

/**
 * Returns the pictures of a page that illustrate its text, the largest first: no scans, backgrounds or icons.
 *
 * @param pictures in the unit of the page's bounds
 */
export function findFigures(
  pictures: readonly Box[],
  { lines, bounds, dimensions }: Pick<PageText, 'lines' | 'bounds' | 'dimensions'>,
  { minPixels = defaultMinPixels, maxCount }: FigureLimits,
): Box[] {
  const size = { width: bounds.right, height: bounds.bottom };
  const minSize = (minPixels * size.width) / dimensions.width;
  const characters = countCharacters(lines, bounds);
  const isScan = (box: Box) => {
    const count = countCharacters(lines, box);
    return count >= minCharactersOnScan || (count >= minCharactersOnSmallScan && count > characters / 2);
  };
  const isPart = (box: Box) => areaOf(box) > 0 && areaOf(box) < maxPageShare * areaOf(bounds);
  return joinTiles(pictures.map((box) => clip(box, size)).filter(isPart), maxTileGap * size.width)
    .filter((box) => isPart(box) && !isScan(box))
    .filter(({ left, top, right, bottom }) => Math.min(right - left, bottom - top) >= minSize)
    .sort((one, other) => areaOf(other) - areaOf(one))
    .slice(0, maxCount);
}

/** Joins pictures that together fill a rectangle. */
function joinTiles(pictures: readonly Box[], maxGap: number): Box[] {
  let boxes = [...pictures];
  for (let round = 0; round < maxTileRounds; round += 1) {
    const joined: Box[] = [];
    for (const box of boxes) {
      const place = joined.findIndex((other) => areTiles(box, other, maxGap));
      const other = joined[place];
      if (other === undefined) joined.push(box);
      else joined[place] = boxAround([box, other]);
    }
    if (joined.length === boxes.length) return joined;
    boxes = joined;
  }
  return boxes;
}

function areTiles(one: Box, other: Box, maxGap: number): boolean {
  const gapX = Math.max(one.left, other.left) - Math.min(one.right, other.right);
  const gapY = Math.max(one.top, other.top) - Math.min(one.bottom, other.bottom);
  if (Math.max(gapX, gapY) > maxGap) return false;
  return areaOf(boxAround([one, other])) <= maxTileWaste * (areaOf(one) + areaOf(other));
}

const colorFormat = 3;
const colorBytes = 4;
const white = 0xffffffff;
const renderAnnotations = 0x01;
const renderAsRgb = 0x10;
const jpegQuality = 85;

/**
 * Renders parts of a page as JPEG. A part that exceeds the limits of a page is undefined.
 *
 * @param boxes in pixels of the dimensions; very large pages are rendered at a lower resolution
 */
export async function renderFigures(
  pdfium: Pdfium,
  page: number,
  boxes: readonly Box[],
  { width, height }: PageText['dimensions'],
): Promise<(Buffer | undefined)[]> {
  const scale = Math.min(1, Math.sqrt(maxRecognizedPixels / (width * height)));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const jpegs: (Buffer | undefined)[] = [];
  let [pixelsLeft, bytesLeft] = [maxRecognizedPixels, maxPageImageBytes];
  for (const box of boxes) {
    const part = clip(scaleBox(box, scale), size);
    const area = areaOf(part);
    let jpeg: Buffer | undefined;
    if (area > 0 && area <= pixelsLeft) {
      pixelsLeft -= area;
      jpeg = await renderFigure(pdfium, page, part, size);
      if (jpeg.length > bytesLeft) jpeg = undefined;
      else bytesLeft -= jpeg.length;
    }
    jpegs.push(jpeg);
  }
  return jpegs;
}

function renderFigure(
  pdfium: Pdfium,
  page: number,
  { left, top, right, bottom }: Box,
  size: { width: number; height: number },
): Promise<Buffer> {
  const [width, height] = [right - left, bottom - top];
  const pixels = withMemory(pdfium, width * height * colorBytes, (pointer) => {
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, colorFormat, pointer, width * colorBytes);
    if (bitmap === 0) throw new OutOfMemoryError('PDFium cannot create a bitmap.');
    pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, white);
    pdfium._FPDF_RenderPageBitmap(
      bitmap,
      page,
      -left,
      -top,
      size.width,
      size.height,
      0,
      renderAnnotations | renderAsRgb,
    );
    pdfium._FPDFBitmap_Destroy(bitmap);
    return Buffer.from(pdfium.HEAPU8.subarray(pointer, pointer + width * height * colorBytes));
  });
  const image = sharp(pixels, { raw: { width, height, channels: colorBytes } });
  return image.removeAlpha().jpeg({ quality: jpegQuality }).toBuffer();
}
