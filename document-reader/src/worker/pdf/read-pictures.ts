import { type Box, meanConfidence, type PageText, scaleBox, type TextLine, type TextWord } from '../../page.js';
import type { Raster } from '../image/raster.js';
import type { Recognizer } from '../recognition/recognizer.js';

/** Each costs a recognition. */
const maxPictures = 10;
/** A picture with this many characters of the text layer on it is a background, or a scan that was already recognized. */
export const minCharactersOnScan = 200;
/** Lines with a lower mean confidence are shapes that look like letters. */
const minLineConfidence = 0.7;

/** A page that has both a text layer and pictures. All boxes are in display coordinates. */
interface PageWithPictures {
  readonly layer: readonly TextLine[];
  readonly pictures: readonly Box[];
  readonly raster: Raster;
  readonly pixelsPerStep: number;
}

/** Returns the lines of text in the pictures of a page, without the words of its text layer. */
export async function readPictures(
  recognizer: Recognizer,
  { layer, pictures, raster, pixelsPerStep }: PageWithPictures,
): Promise<Pick<PageText, 'lines' | 'languages'>> {
  recognizer.expect(layer);
  const toPixels = (box: Box) => clip(scaleBox(box, pixelsPerStep), raster);
  const page = whiten(
    raster,
    layer.flat().map(({ box }) => toPixels(box)),
  );
  const lines: TextLine[] = [];
  const languages = new Set<string>();
  for (const picture of pictures.slice(0, maxPictures)) {
    if (countCharacters(layer, picture) >= minCharactersOnScan) continue;
    const box = toPixels(picture);
    const found = await recognizer.recognize(crop(page, box));
    const toDisplay = (word: TextWord) => ({ ...word, box: scaleBox(move(word.box, box), 1 / pixelsPerStep) });
    const legible = found.lines.filter((line) => meanConfidence([line]) >= minLineConfidence);
    for (const line of legible) lines.push(line.map(toDisplay));
    if (legible.length > 0) for (const language of found.languages) languages.add(language);
  }
  return { lines, languages: [...languages] };
}

/** Counts the characters of the words whose center is in the box. */
export function countCharacters(layer: readonly TextLine[], { left, top, right, bottom }: Box): number {
  return layer.flat().reduce((sum, { text, box }) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return x > left && x < right && y > top && y < bottom ? sum + text.length : sum;
  }, 0);
}

function move({ left, top, right, bottom }: Box, origin: Box): Box {
  return {
    left: left + origin.left,
    top: top + origin.top,
    right: right + origin.left,
    bottom: bottom + origin.top,
  };
}

/** Returns the part of a box that is in an area, in whole numbers. */
export function clip({ left, top, right, bottom }: Box, { width, height }: Pick<Raster, 'width' | 'height'>): Box {
  const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  return {
    left: Math.min(x, width),
    top: Math.min(y, height),
    right: Math.max(x, Math.min(width, Math.ceil(right))),
    bottom: Math.max(y, Math.min(height, Math.ceil(bottom))),
  };
}

function whiten(image: Raster, boxes: readonly Box[]): Raster {
  const pixels = Buffer.from(image.pixels);
  for (const { left, top, right, bottom } of boxes) {
    for (let y = top; y < bottom; y += 1) pixels.fill(255, y * image.width + left, y * image.width + right);
  }
  return { ...image, pixels };
}

function crop(image: Raster, { left, top, right, bottom }: Box): Raster {
  const rows = Array.from({ length: bottom - top }, (_, row) => {
    const start = (top + row) * image.width;
    return image.pixels.subarray(start + left, start + right);
  });
  return { pixels: Buffer.concat(rows), width: right - left, height: bottom - top, dpi: image.dpi };
}
