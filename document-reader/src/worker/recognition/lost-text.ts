import { type Box, boxAround, type TextLine } from '../../page.js';
import type { Raster } from '../image/raster.js';

/** Side of the squares that marks are made of: less than a letter. */
const blockPixels = 8;
/** Darker pixels are ink. */
const maxInkLevel = 128;
/** Ink pixels in a square, of which every second row is counted. */
const minInkPixels = 2;
/** Size of marks that may be words, relative to the height of other words. */
const minHeight = 0.5;
const maxHeight = 2.5;
const maxWidth = 15;
/** Share of the page at its edges, where scanners leave shadows. */
const marginShare = 0.02;
/** Pages with more marks have drawings or photos. */
const maxMarks = 100;

/** Shapes that look like letters have a lower confidence. */
const minConfidence = 0.8;

/**
 * Reads what looks like words but was not read. Tesseract sometimes takes narrow columns of tables for noise.
 *
 * @param read recognizes an image that contains nothing else
 */
export async function readLostText(
  image: Raster,
  lines: readonly TextLine[],
  read: (image: Raster) => readonly TextLine[] | Promise<readonly TextLine[]>,
): Promise<TextLine[]> {
  const heights = lines
    .flatMap((line) => line.map(({ box }) => box.bottom - box.top))
    .sort((one, other) => one - other);
  const height = heights[Math.floor(heights.length / 2)];
  if (height === undefined) return [];
  const marks = findMarks(image, lines).filter((box) => isWord(box, height, image));
  if (marks.length === 0 || marks.length > maxMarks) return [];
  const words = lines.flatMap((line) => line.map(({ box }) => box));
  const found = await read(copyWithout(words, image, marks));
  return found
    .map((line) => line.filter(({ text, confidence }) => confidence >= minConfidence && /[\p{L}\p{N}]/u.test(text)))
    .filter((line) => line.length > 0);
}

/** Returns a copy with these marks only. A mark may surround a word, such as the frame of a cell. */
function copyWithout(words: readonly Box[], image: Raster, marks: readonly Box[]): Raster {
  const pixels = Buffer.alloc(image.pixels.length, 255);
  for (const { left, top, right, bottom } of marks) {
    for (let y = top; y < bottom; y += 1) {
      const row = y * image.width;
      image.pixels.copy(pixels, row + left, row + left, row + right);
    }
  }
  for (const { left, top, right, bottom } of words) {
    for (let y = top; y < bottom; y += 1) pixels.fill(255, y * image.width + left, y * image.width + right);
  }
  return { ...image, pixels };
}

function isWord({ left, top, right, bottom }: Box, height: number, image: Raster): boolean {
  const margin = marginShare * Math.min(image.width, image.height);
  const isAtMargin = left < margin || top < margin || right > image.width - margin || bottom > image.height - margin;
  const [columns, rows] = [right - left, bottom - top];
  return !isAtMargin && rows >= minHeight * height && rows <= maxHeight * height && columns <= maxWidth * height;
}

/** Returns the boxes of connected squares with ink outside of all words. */
function findMarks(image: Raster, lines: readonly TextLine[]): Box[] {
  const [columns, rows] = [Math.floor(image.width / blockPixels), Math.floor(image.height / blockPixels)];
  const isCovered = new Uint8Array(columns * rows);
  for (const { box } of lines.flat()) {
    const [left, right] = [Math.floor(box.left / blockPixels), Math.ceil(box.right / blockPixels)];
    const [top, bottom] = [Math.floor(box.top / blockPixels) - 1, Math.ceil(box.bottom / blockPixels) + 1];
    for (let row = Math.max(0, top); row < Math.min(rows, bottom); row += 1) {
      isCovered.fill(1, row * columns + Math.max(0, left - 1), row * columns + Math.min(columns, right + 1));
    }
  }
  const isOpen = isCovered.map((covered, block) =>
    covered === 0 && hasInk(image, (block % columns) * blockPixels, Math.floor(block / columns) * blockPixels) ? 1 : 0,
  );
  const marks: Box[] = [];
  for (let first = 0; first < isOpen.length; first += 1) {
    if (isOpen[first] === 1) marks.push(takeMark(isOpen, columns, first));
  }
  return marks;
}

function hasInk({ pixels, width }: Raster, left: number, top: number): boolean {
  let ink = 0;
  for (let y = top; y < top + blockPixels; y += 2) {
    for (let index = y * width + left; index < y * width + left + blockPixels; index += 1) {
      if ((pixels[index] ?? 255) < maxInkLevel) ink += 1;
    }
  }
  return ink >= minInkPixels;
}

/** Removes a square and those connected to it, and returns the box around them. */
function takeMark(isOpen: Uint8Array, columns: number, first: number): Box {
  const found = [first];
  isOpen[first] = 0;
  for (const block of found) {
    for (const row of [-columns, 0, columns]) {
      // The gap between letters may be a square wide.
      for (let neighbor = block + row - 2; neighbor <= block + row + 2; neighbor += 1) {
        if (isOpen[neighbor] !== 1) continue;
        isOpen[neighbor] = 0;
        found.push(neighbor);
      }
    }
  }
  const boxes = found.map((block) => {
    const [left, top] = [(block % columns) * blockPixels, Math.floor(block / columns) * blockPixels];
    return { left, top, right: left + blockPixels, bottom: top + blockPixels };
  });
  return boxAround(boxes);
}
